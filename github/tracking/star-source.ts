import { sqlTime } from '../../engine/index.js';
import type { Tables } from '../../warehouse/store/store.js';
import { recordHistories, removeHistory } from './counted-stars.js';
import { FRESH_MS, isOlder, newestPages, type Source, type SourcePage, type SourceState, succeeded } from './source.js';
import { readStarPage, requestStarPage, type StarPage } from './star-history.js';

/** The whole history is read again after this time, because stars of older days can be taken back. */
const WHOLE_MS = 30 * 86_400_000;

/** The stars of each day. The newest page is enough after a recent whole history, because it has 210 days. */
export const STAR_SOURCE: Source<StarPage> = {
  name: 'stars',
  start: (state, now) => (state.nextPage > 1 && isOlder(state.checkedAt, WHOLE_MS, now) ? restart(state) : state),
  isOutdated: ({ nextPage, checkedAt }, now) => nextPage > 1 || isOlder(checkedAt, FRESH_MS, now),
  request: (client, repoId, state, call, now) => {
    const etag = isWholeHistoryDue(state, now) ? undefined : state.etag;
    return requestStarPage(client, repoId, state.nextPage, { ...call, etag });
  },
  read: (reply, _, state, requestedAt) => {
    const page = readStarPage(reply, state.oldestDay);
    return { page, after: advance(state, page, requestedAt) };
  },
  unchanged: (state, requestedAt) => ({ ...succeeded(state, requestedAt), checkedAt: sqlTime(requestedAt) }),
  restart,
  store: async (tables, pages) => {
    await writeDays(tables, pages);
    await recordHistories(tables, newestPages(pages));
  },
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
 * Replaces the days of pages: of each, from its oldest day, or all older days if it is the last page, up to the days of the previous
 * page. A week that begins while the history is read moves weeks to the next page; the days that the previous page has are kept. Equal
 * days are not written, because each write makes stored answers invalid.
 */
async function writeDays(tables: Tables, pages: readonly SourcePage<StarPage>[]): Promise<void> {
  const parts = pages.flatMap(({ repoId, before: { oldestDay = MAX_DAY }, page }) =>
    page === undefined ? [] : [{ repoId, before: oldestDay, from: (page.hasNext && page.oldestDay) || MIN_DAY, page }],
  );
  if (parts.length === 0) return;
  const daysOf = new Map<number, Map<string, number>>(parts.map(({ repoId }) => [repoId, new Map()]));
  const rangesOf = (some: typeof parts) =>
    some.map(({ repoId, from, before }) => `(repo_id = ${repoId} AND day >= '${from}' AND day < '${before}')`);
  for (const [id, day, stars] of await tables.rows(
    `SELECT repo_id, day, stars FROM github_star_days WHERE ${rangesOf(parts).join(' OR ')}`,
  ))
    daysOf.get(Number(id))?.set(String(day), Number(stars));
  const changed = new Set<number>();
  for (const { repoId, from, before, page } of parts) {
    const stored = daysOf.get(repoId) ?? new Map<string, number>();
    const days = page.days.filter(({ day }) => day < before);
    const replaced = [...stored.keys()].filter((day) => day >= from && day < before);
    if (days.length === replaced.length && days.every(({ day, stars }) => stored.get(day) === stars)) continue;
    for (const day of replaced) stored.delete(day);
    for (const { day, stars } of days) stored.set(day, stars);
    changed.add(repoId);
  }
  if (changed.size === 0) return;
  const written = rangesOf(parts.filter(({ repoId }) => changed.has(repoId)));
  await tables.run(`DELETE FROM github_star_days WHERE ${written.join(' OR ')}`);
  await tables.insertRows(
    'github_star_days',
    [...changed].flatMap((id) => [...(daysOf.get(id) ?? [])].map(([day, stars]) => [id, day, stars])),
  );
}

const MIN_DAY = '1000-01-01';
const MAX_DAY = '9999-12-31';
