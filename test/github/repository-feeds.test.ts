import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type FollowOptions, type FollowSummary, followTracked } from '../../github/tracking/follow-tracked.js';
import { refreshFull } from '../../warehouse/derived/refresh.js';
import { formatArchiveHour } from '../../warehouse/import/files/archive-hours.js';
import { IMPORT } from '../../warehouse/import/import-sources.js';
import { embeddedOnly, serverOnly } from '../warehouse/embedded-only.js';
import { onEveryDatabase, type TestWarehouse } from '../warehouse/test-warehouse.js';
import { answerEvents, archivedLine, type EventRepository, type TrueEvent } from './event-truth.js';
import { createClientOf, type GitHubAnswer, type GitHubServer, startGitHubServer } from './github-server.js';
import { trackingOptions, trackRepositories } from './tracking-options.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const START = Date.UTC(2026, 5, 10, 12);

/** Returns pushes at equal intervals, which begin a day before the start. */
function pushes(count: number, everyMs: number): TrueEvent[] {
  return Array.from(
    { length: count },
    (_, index): TrueEvent => ({
      id: index + 1,
      at: START - DAY_MS + index * everyMs,
      type: 'PushEvent',
      actor: 10,
    }),
  );
}

onEveryDatabase('the events of tracked repositories', (make) => {
  const itEmbedded = embeddedOnly(make);
  const itOnServer = serverOnly(make);
  let warehouse: TestWarehouse;
  let github: GitHubServer;
  let now: number;
  beforeEach(async () => {
    warehouse = await make();
    github = await startGitHubServer();
    now = START;
    await trackRepositories(warehouse.store, [{ id: 7, name: 'owner/reed' }]);
  });
  afterEach(async () => {
    await github.close();
    await warehouse.close();
  });

  const serve = (events: readonly TrueEvent[], name = 'owner/reed'): EventRepository => {
    const repository = { id: 7, name, events };
    github.answer = (call) => answerEvents([repository], call, { url: github.url, now });
    return repository;
  };
  const follow = async (options: Partial<FollowOptions> = {}): Promise<Omit<FollowSummary, 'seconds'>> => {
    github.calls.length = 0;
    const client = createClientOf(github.url, () => now);
    const base = trackingOptions(warehouse, () => now);
    const { seconds: _, ...summary } = await followTracked(warehouse.store, client, {
      ...base,
      only: 'events',
      ...options,
    });
    return summary;
  };
  const archive = async (repository: EventRepository, hour: number, ids: readonly number[], again = false) => {
    const lines = (repository.events ?? []).filter(({ id }) => ids.includes(id));
    const file = join(warehouse.folder, `${formatArchiveHour(hour / HOUR_MS)}.json`);
    await writeFile(file, lines.map((event) => `${archivedLine(repository, event)}\n`).join(''));
    const { files } = await warehouse.import([file], { again });
    return files.map(({ events, alreadyThere, message }) => ({ events, alreadyThere, message }));
  };
  const ids = async () =>
    (await warehouse.rows('SELECT id FROM github_events'))
      .flat()
      .map(Number)
      .sort((a, b) => a - b);
  const ranges = async () =>
    (await warehouse.rows('SELECT first_at, last_at FROM repo_feed_ranges')).map((row) => row.map(String));
  const expectIncrements = async () => {
    const before = await warehouse.everything();
    await refreshFull(warehouse.store);
    expect(await warehouse.everything()).to.deep.equal(before);
  };

  it('are added with their accounts, and are not the coverage of the data', async () => {
    serve([
      { id: 1, at: START - 3 * DAY_MS, type: 'WatchEvent', actor: 10 },
      { id: 2, at: START - 2 * DAY_MS, type: 'IssuesEvent', actor: 11, number: 5 },
      { id: 3, at: START - 1 * DAY_MS, type: 'PushEvent', actor: 12 },
    ]);
    expect(await follow()).to.deep.equal({
      ...{ tracked: 1, updated: 1, absent: 0, failed: 0, left: 0 },
      ...{ requests: 1, events: 3 },
    });
    expect(await warehouse.rows('SELECT id, type, actor_login, created_at FROM github_events')).to.deep.equal([
      ['1', 'WatchEvent', 'user-10', '2026-06-07 12:00:00'],
      ['2', 'IssuesEvent', 'user-11', '2026-06-08 12:00:00'],
      ['3', 'PushEvent', 'user-12', '2026-06-09 12:00:00'],
    ]);
    expect(await warehouse.rows('SELECT stars, issues FROM mv_repo_totals')).to.deep.equal([['1', '1']]);
    expect(await warehouse.rows('SELECT id, action, number FROM repo_feed_events')).to.deep.equal([
      ['1', 'started', '0'],
      ['2', 'opened', '5'],
      ['3', '', '0'],
    ]);
    expect(
      await warehouse.rows('SELECT day, stars, named_stars, star_seconds FROM mv_repo_daily_counts'),
    ).to.deep.equal([['2026-06-07', '1', '1', String(12 * 3600)]]);
    for (const table of ['mv_event_coverage', 'mv_feed_gaps', 'imported_hours', 'import_files', 'sys_repo_feed_pages'])
      expect(await warehouse.rows(`SELECT COUNT(*) FROM ${table}`), table).to.deep.equal([['0']]);
    expect(await ranges()).to.deep.equal([['2026-05-11 12:00:00', '2026-06-10 06:00:00']]);
    await expectIncrements();
  });

  itEmbedded(
    'are requested again at the rate of the repository, and their ranges end when the feed has lost events',
    async () => {
      const events = pushes(1_200, 2 * MINUTE_MS);
      serve(events);
      // The 300 events span 299 intervals. The next poll is due after about half of this time.
      expect(await follow()).to.deep.include({ requests: 4, events: 300 });
      expect(await ranges()).to.deep.equal([['2026-06-10 02:02:00', '2026-06-10 06:00:00']]);
      now += 297 * MINUTE_MS - 1_000;
      expect(await follow()).to.deep.include({ requests: 0 });
      now = START + 5 * HOUR_MS;
      expect(await follow()).to.deep.include({ requests: 4, events: 150 });
      expect(await ranges()).to.deep.equal([['2026-06-10 02:02:00', '2026-06-10 11:00:00']]);
      now += 10 * HOUR_MS;
      // The oldest of the 300 events is later than the newest known event, so events may be missing in between.
      expect(await follow()).to.deep.include({ requests: 4, events: 300 });
      expect(await ranges()).to.deep.equal([
        ['2026-06-10 02:02:00', '2026-06-10 11:00:00'],
        ['2026-06-10 17:02:00', '2026-06-10 21:00:00'],
      ]);
      expect((await ids()).length).to.equal(300 + 150 + 300);
    },
  );

  itEmbedded('need no events to stay complete: an unchanged feed costs one request in twice the time', async () => {
    serve([{ id: 1, at: START - DAY_MS, type: 'PushEvent', actor: 10 }]);
    await follow();
    now += 6 * HOUR_MS;
    expect(await follow()).to.deep.include({ updated: 1, requests: 1, events: 0 });
    expect(github.calls.map(({ path, etag }) => [path, etag !== undefined])).to.deep.equal([
      ['/repositories/7/events?per_page=100&page=1', true],
    ]);
    expect(await ranges()).to.deep.equal([['2026-05-11 12:00:00', '2026-06-10 12:00:00']]);
    now += 40 * DAY_MS;
    // The feed is now empty, and was not read for more than thirty days.
    expect(await follow()).to.deep.include({ requests: 1, events: 0 });
    expect(await ranges()).to.deep.equal([
      ['2026-05-11 12:00:00', '2026-06-10 12:00:00'],
      ['2026-06-20 18:00:00', '2026-07-20 12:00:00'],
    ]);
  });

  it('count once with those of the archive, in any order and after a rename; the archive adds to the coverage', async () => {
    const hour = START - 5 * HOUR_MS;
    const events = [1, 2, 3, 4].map(
      (id): TrueEvent => ({ id, at: hour + id * MINUTE_MS, type: 'WatchEvent', actor: id }),
    );
    const before = serve(events, 'owner/old');
    expect(await archive(before, hour, [1])).to.deep.equal([{ events: 1, alreadyThere: 0, message: undefined }]);
    serve(events, 'owner/reed');
    expect(await follow()).to.deep.include({ events: 3 });
    expect(await warehouse.rows('SELECT id FROM repo_feed_events')).to.deep.equal([['2'], ['3'], ['4']]);
    expect(await warehouse.rows('SELECT type, events FROM mv_event_coverage')).to.deep.equal([['WatchEvent', '1']]);
    expect(await archive(before, hour + HOUR_MS, [2, 3])).to.deep.equal([
      { events: 2, alreadyThere: 0, message: undefined },
    ]);
    expect(await ids()).to.deep.equal([1, 2, 3, 4]);
    expect(await warehouse.rows('SELECT id FROM repo_feed_events')).to.deep.equal([['4']]);
    expect(await warehouse.rows('SELECT type, events, newest_at FROM mv_event_coverage')).to.deep.equal([
      ['WatchEvent', '3', '2026-06-10 07:03:00'],
    ]);
    await expectIncrements();
  });

  itEmbedded('stay when an hour of the archive is imported again, also if its file has lost them since', async () => {
    // The range of the feed ends at the start of this hour, so it contains only the first event.
    const hour = START - 6 * HOUR_MS;
    const events = [0, 1, 1.5, 2].map(
      (minute, index): TrueEvent => ({
        id: index + 1,
        at: hour + minute * MINUTE_MS,
        type: 'WatchEvent',
        actor: index + 1,
      }),
    );
    const repository = serve(events);
    await archive(repository, hour, [1, 2]);
    expect(await follow()).to.deep.include({ events: 2 });
    expect(await archive(repository, hour, [2, 4], true)).to.deep.equal([
      { events: 2, alreadyThere: 1, message: undefined },
    ]);
    expect(await ids()).to.deep.equal([1, 2, 3, 4]);
    expect(await warehouse.rows('SELECT id FROM repo_feed_events')).to.deep.equal([['1'], ['3']]);
    expect(await warehouse.rows('SELECT events FROM mv_event_coverage')).to.deep.equal([['2']]);
    await expectIncrements();
  });

  it('wait while an import runs, and are added by the next run', async () => {
    serve([{ id: 1, at: START - HOUR_MS, type: 'PushEvent', actor: 10 }]);
    const notices: string[] = [];
    await warehouse.store.runExclusively(IMPORT, 0, async () => {
      expect(await follow({ onNotice: (notice) => notices.push(notice) })).to.deep.include({ updated: 1, events: 0 });
    });
    expect(notices).to.deep.equal(['An import is running. A later run adds the events that were read.']);
    expect([await ids(), await ranges()]).to.deep.equal([[], []]);
    expect(await follow()).to.deep.include({ requests: 0, events: 1 });
    expect(await ids()).to.deep.equal([1]);
  });

  itEmbedded('are read to the end of a poll that was interrupted', async () => {
    const events = pushes(250, MINUTE_MS);
    serve(events);
    expect(await follow({ budget: 2 })).to.deep.include({ left: 1, requests: 2, events: 180 });
    expect(await ranges()).to.deep.equal([]);
    expect(await follow()).to.deep.include({ updated: 1, requests: 4, events: 70 });
    expect(await ranges()).to.deep.equal([['2026-06-09 12:00:00', '2026-06-10 06:00:00']]);
  });

  const event = (changes: object) => ({
    ...{ id: '5', type: 'WatchEvent', actor: { id: 1, login: 'user-1' }, repo: { id: 7, name: 'owner/reed' } },
    ...{ payload: { action: 'started' }, created_at: '2026-06-10T10:00:00Z', ...changes },
  });
  const asJson = (body: string): GitHubAnswer => ({ body, headers: { 'content-type': 'application/json' } });
  const UNREADABLE: readonly (readonly [title: string, answer: GitHubAnswer])[] = [
    ['HTML', { body: '<html>' }],
    ['an object', { body: {} }],
    ['an event of another repository', { body: [event({ repo: { id: 8, name: 'owner/reed' } })] }],
    ['an event without an account', { body: [event({ actor: null })] }],
    ['an event without an id', { body: [event({ id: undefined })] }],
    ['another id', { body: [event({ id: '5e3' })] }],
    ['another type', { body: [event({ type: 'Other' })] }],
    ['another time', { body: [event({ created_at: '2026-06-31T25:00:00Z' })] }],
    ['an event of a later time', { body: [event({ created_at: '2027-06-12T10:00:00Z' })] }],
    ['a payload that is a text', { body: [event({ payload: 'text' })] }],
    ['a payload that is a list', { body: [event({ payload: [] })] }],
    [
      'a payload that is nested very deeply',
      asJson(
        `[${JSON.stringify(event({ payload: { x: 0 } })).replace(':0}', `:${'['.repeat(20_000)}${']'.repeat(20_000)}}`)}]`,
      ),
    ],
    [
      'a very large page',
      {
        body: [
          event({
            payload: Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [`key-${index}`, 'x'.repeat(600)])),
          }),
        ],
      },
    ],
    ['an answer to an etag that was not sent', { status: 304 }],
  ];
  itEmbedded('are not read from an answer in an unknown form', async () => {
    for (const [title, answer] of UNREADABLE) {
      github.answer = () => answer;
      now += 2 * DAY_MS;
      expect(await follow(), title).to.deep.include({ failed: 1, requests: 1, events: 0 });
      const [[error = ''] = []] = await warehouse.rows('SELECT error FROM sys_repo_sources');
      expect(error, title).to.match(/unknown form|unreadable/);
    }
    expect(await ids()).to.deep.equal([]);
  });

  it('stay out of the data if the database cannot store one; other feeds are not affected', async () => {
    await trackRepositories(warehouse.store, [{ id: 8, name: 'owner/brook' }]);
    const other = {
      id: 8,
      name: 'owner/brook',
      events: [{ id: 9, at: START - HOUR_MS, type: 'ForkEvent', actor: 3 }],
    } as const;
    // The reader of archive files rejects the lone surrogate in a key.
    const broken = [event({ id: '6' }), event({ payload: { 'a\ud800': 1 } })];
    github.answer = (call) =>
      call.path.startsWith('/repositories/7/')
        ? { body: broken }
        : answerEvents([other], call, { url: github.url, now });
    expect(await follow()).to.deep.include({ updated: 2 });
    expect(await warehouse.rows('SELECT repo_id FROM repo_feed_ranges')).to.deep.equal([['8']]);
    expect(await ids()).to.include(9);
    const [state = []] = await warehouse.rows(
      'SELECT failures, error, checked_at FROM sys_repo_sources WHERE repo_id = 7',
    );
    expect(state).to.deep.equal([
      '1',
      'An event in the feed cannot be stored: not an event that the database can read',
      null,
    ]);
    expect(await warehouse.rows('SELECT position FROM sys_repo_feed_pages')).to.deep.equal([]);
    now += HOUR_MS;
    broken.pop();
    expect(await follow()).to.deep.include({ failed: 0 });
    expect(await warehouse.rows('SELECT repo_id FROM repo_feed_ranges ORDER BY repo_id')).to.deep.equal([['7'], ['8']]);
  });

  itOnServer('can have very large numbers', async () => {
    const text = JSON.stringify([event({ payload: { action: 'started', size: 0 } })]);
    github.answer = () => asJson(text.replace('"size":0', '"size":90071992547409931'));
    expect(await follow()).to.deep.include({ failed: 0, events: 1 });
  });

  itEmbedded('wait at most a day, also if GitHub asks for more or the clock was wrong', async () => {
    serve([{ id: 1, at: START - DAY_MS, type: 'PushEvent', actor: 10 }]);
    const answer = github.answer;
    for (const poll of ['1e18', 'Infinity', '-1', '1e9']) {
      github.answer = async (call) => {
        const { headers, ...rest } = await answer(call);
        return { ...rest, headers: { ...headers, 'x-poll-interval': poll } };
      };
      expect(await follow(), poll).to.deep.include({ failed: 0 });
      now += DAY_MS;
    }
    github.answer = answer;
    now += 400 * DAY_MS;
    await follow();
    now = START + 5 * DAY_MS;
    serve([{ id: 2, at: now - HOUR_MS, type: 'PushEvent', actor: 10 }]);
    expect(await follow()).to.deep.include({ requests: 1, events: 1 });
    expect((await ranges()).at(-1)).to.deep.equal(['2026-05-11 12:00:00', '2026-06-15 06:00:00']);
  });

  itEmbedded('wait as long as GitHub asks for when nothing has changed', async () => {
    serve([{ id: 1, at: START - HOUR_MS, type: 'PushEvent', actor: 10 }]);
    const answer = github.answer;
    await follow();
    now += 6 * HOUR_MS;
    github.answer = async (call) => {
      const { headers, ...rest } = await answer(call);
      return { ...rest, headers: { ...headers, 'x-poll-interval': String((20 * HOUR_MS) / 1_000) } };
    };
    expect(await follow()).to.deep.include({ requests: 1, events: 0 });
    expect(github.calls.at(-1)?.etag).to.be.a('string');
    for (const [hours, requests] of [
      [19, 0],
      [1, 1],
    ] as const) {
      now += hours * HOUR_MS;
      expect(await follow(), `after ${hours} hours`).to.deep.include({ requests });
    }
  });

  itEmbedded(
    'are read if GitHub delivers them late, and are not known before a poll that lacks the known ones',
    async () => {
      const hour = START - 5 * HOUR_MS;
      serve([{ id: 1, at: START - HOUR_MS, type: 'PushEvent', actor: 10 }]);
      await follow();
      now += 6 * HOUR_MS;
      serve([
        { id: 1, at: START - HOUR_MS, type: 'PushEvent', actor: 10 },
        { id: 2, at: hour, type: 'PushEvent', actor: 11 },
      ]);
      expect(await follow()).to.deep.include({ events: 1 });
      expect(await ids()).to.deep.equal([1, 2]);
      now += 6 * HOUR_MS;
      serve([]);
      await follow();
      expect(await ranges()).to.deep.equal([
        ['2026-05-11 12:00:00', '2026-06-10 12:00:00'],
        ['2026-06-11 00:00:00', '2026-06-11 00:00:00'],
      ]);
      now += 6 * HOUR_MS;
      github.answer = () => ({ body: [], headers: { link: `<${github.url}/next>; rel="next"` } });
      expect(await follow()).to.deep.include({ requests: 2 });
      expect((await ranges()).at(-1)).to.deep.equal(['2026-06-11 06:00:00', '2026-06-11 06:00:00']);
    },
  );

  itEmbedded(
    'are known since the oldest page that continues the newer ones, also if a page is as it was before',
    async () => {
      const cases = [
        { id: 7, minutes: 0, first: '2026-05-11 12:00:00', count: 145 },
        { id: 8, minutes: 50, first: '2026-05-11 12:00:00', count: 145 },
        { id: 9, minutes: 200, first: '2026-06-09 19:30:00', count: 135 },
      ];
      await trackRepositories(warehouse.store, [
        { id: 8, name: 'owner/brook' },
        { id: 9, name: 'owner/pond' },
      ]);
      const repositories = cases.map(({ id }) => {
        const events = pushes(145, 10 * MINUTE_MS).map((event) => ({ ...event, id: id * 1_000 + event.id }));
        return { id, name: `owner/repo-${id}`, events };
      });
      github.answer = (call) => {
        const { minutes = 0 } = cases.find(({ id }) => call.path.startsWith(`/repositories/${id}/`)) ?? {};
        const age = call.path.endsWith('page=2') ? minutes * MINUTE_MS : 0;
        return answerEvents(repositories, call, { url: github.url, now: now - age });
      };
      expect(await follow()).to.deep.include({ updated: 3, requests: 6 });
      const stored = await ids();
      for (const { id, minutes, first, count } of cases) {
        const range = await warehouse.rows(`SELECT first_at, last_at FROM repo_feed_ranges WHERE repo_id = ${id}`);
        expect(range, `${minutes} minutes`).to.deep.equal([[first, '2026-06-10 06:00:00']]);
        const missing = Array.from({ length: 145 - count }, (_, index) => 36 + index);
        expect(stored.flatMap((one) => (Math.floor(one / 1_000) === id ? one % 1_000 : []))).to.deep.equal(
          Array.from({ length: 145 }, (_, index) => index + 1).filter((one) => !missing.includes(one)),
        );
      }
    },
  );
});
