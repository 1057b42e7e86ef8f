import { sqlTime } from '../../engine/index.js';
import type { Tables } from '../../warehouse/store/store.js';
import { recordHistory, removeHistory } from './counted-stars.js';
import { FRESH_MS, isOlder, type Source, type SourceState, succeeded } from './source.js';
import { readStarPage, requestStarPage, type StarPage } from './star-history.js';

/** The whole history is read again after this time, because stars of older days can be taken back. */
const WHOLE_MS = 30 * 86_400_000;

/** The stars of each day. The newest page is enough after a recent whole history, because it has 210 days. */
export const STAR_SOURCE: Source = {
  name: 'stars',
  start: (state, now) => (state.nextPage > 1 && isOlder(state.checkedAt, WHOLE_MS, now) ? restart(state) : state),
  isOutdated: ({ nextPage, checkedAt }, now) => nextPage > 1 || isOlder(checkedAt, FRESH_MS, now),
  request: (client, repoId, state, call, now) => {
    const etag = isWholeHistoryDue(state, now) ? undefined : state.etag;
    return requestStarPage(client, repoId, state.nextPage, { ...call, etag });
  },
  read: (reply, state) => {
    const page = readStarPage(reply, state.oldestDay);
    return {
      store: async (tables, repoId, requestedAt) => {
        await writeDays(tables, repoId, page, state);
        return advance(state, page, requestedAt);
      },
    };
  },
  unchanged: (state, requestedAt) => ({ ...succeeded(state, requestedAt), checkedAt: sqlTime(requestedAt) }),
  restart,
  record: recordHistory,
  remove: removeHistory,
};

function restart(state: SourceState): SourceState {
  return { ...state, nextPage: 1, oldestDay: undefined };
}

function isWholeHistoryDue({ completedAt }: SourceState, now: Date): boolean {
  return isOlder(completedAt, WHOLE_MS, now);
}

/** The state after a page. */
function advance(state: SourceState, { oldestDay, hasNext, etag }: StarPage, requestedAt: Date): SourceState {
  const time = sqlTime(requestedAt);
  const isFirst = state.nextPage === 1;
  const common = { ...succeeded(state, requestedAt), ...(isFirst && { etag, checkedAt: time }) };
  if (!hasNext) return { ...restart(common), completedAt: time };
  if (isFirst && !isWholeHistoryDue(state, requestedAt)) return { ...common, oldestDay: undefined };
  return { ...common, nextPage: state.nextPage + 1, oldestDay };
}

/**
 * Replaces the days of a page: from its oldest day, or all older days if it is the last page, up to the days of the
 * previous page. `state` is the one before the page. A week that begins while the history is read moves weeks to the next
 * page; the days that the previous page has are kept. Equal days are not written, because each write makes stored answers invalid.
 */
async function writeDays(tables: Tables, id: number, page: StarPage, { oldestDay }: SourceState): Promise<void> {
  const from = page.hasNext ? (page.oldestDay ?? MIN_DAY) : MIN_DAY;
  const before = oldestDay ?? MAX_DAY;
  const range = [id, from, before];
  const rows = await tables.rows(`SELECT day, stars FROM github_star_days WHERE ${IN_RANGE}`, range);
  const stored = new Map(rows.map(([day, stars]) => [String(day), Number(stars)]));
  const days = page.days.filter(({ day }) => day < before);
  if (days.length === stored.size && days.every(({ day, stars }) => stored.get(day) === stars)) return;
  await tables.run(`DELETE FROM github_star_days WHERE ${IN_RANGE}`, range);
  await tables.insertRows(
    'github_star_days',
    days.map(({ day, stars }) => [id, day, stars]),
  );
}

const IN_RANGE = 'repo_id = :p1 AND day >= :p2 AND day < :p3';

const MIN_DAY = '1000-01-01';
const MAX_DAY = '9999-12-31';
