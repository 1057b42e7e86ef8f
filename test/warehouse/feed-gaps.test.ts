import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createEngine, type Engine, PATIENT_METADATA_TIMEOUT_MS } from '../../engine/index.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import { storeCollections } from '../../warehouse/collections.js';
import { readCoverage } from '../../warehouse/coverage.js';
import { refreshFull } from '../../warehouse/derived/refresh.js';
import { refreshAsOf } from '../../warehouse/derived/refresh-as-of.js';
import { describeEmbedded } from '../services/server.js';
import { onEveryDatabase, type TestWarehouse, testWarehouse } from './test-warehouse.js';

const NOW = new Date('2026-03-10T12:30:00Z');
const TYPES = [
  'WatchEvent',
  'IssuesEvent',
  'PullRequestEvent',
  'PushEvent',
  'ForkEvent',
  'PullRequestReviewEvent',
  'PullRequestReviewCommentEvent',
];

const DEFINITIONS = loadDefinitions({ endpointsDirectory: undefined });

/** Returns an engine whose stopwatch exceeds the time for which notices are reused with each reading. */
async function engineOf({ database }: TestWarehouse): Promise<Engine> {
  let elapsed = 0;
  const stopwatch = () => (elapsed += 10_000);
  return createEngine({
    endpoints: await DEFINITIONS,
    database,
    clock: () => NOW,
    stopwatch,
    metadataTimeoutMs: PATIENT_METADATA_TIMEOUT_MS,
  });
}

type Asked = Readonly<Record<string, string>>;

onEveryDatabase('the gaps of the feed', (make) => {
  let warehouse: TestWarehouse;
  let engine: Engine;

  before(async () => {
    warehouse = await make();
    engine = await engineOf(warehouse);
    // The files contain all hours of 1 March, six hours of 2 March, and no hours until 9 March. One of the six hours has no stars and
    // forks.
    const hours = [
      ...Array.from({ length: 24 }, (_, hour) => ['2026-03-01', hour] as const),
      ...[3, 4, 5, 6, 20, 21].map((hour) => ['2026-03-02', hour] as const),
      ...Array.from({ length: 24 }, (_, hour) => ['2026-03-09', hour] as const),
      ...Array.from({ length: 12 }, (_, hour) => ['2026-03-10', hour] as const),
    ];
    const files = hours.map(async ([day, hour]) => {
      const isPoor = day === '2026-03-02' && hour === 5;
      const types = TYPES.filter((type) => !isPoor || (type !== 'WatchEvent' && type !== 'ForkEvent'));
      const file = join(warehouse.folder, `${day}-${hour}.json`);
      await writeFile(
        file,
        types.map((type) => line(type, `${day}T${String(hour).padStart(2, '0')}:15:00Z`)).join('\n'),
      );
      return file;
    });
    await warehouse.import(await Promise.all(files));
    await storeCollections(warehouse.store, [{ id: 1, name: 'Tools', items: [{ repo_name: 'ada/lib' }] }]);
    await refreshAsOf(warehouse.store, NOW);
  });
  after(() => warehouse.close());

  const notices = async (name: string, asked: { path?: Asked; query?: Asked } = {}) => {
    const answer = await engine.run(engine.endpoint(name), { path: {}, query: {}, ...asked });
    return answer.notices.filter((notice) => /^(This data set has no |No trending )/.test(notice));
  };
  const stargazers = (query: Asked, name = 'list-countries-of-stargazers') =>
    notices(name, { path: { owner: 'ada', repo: 'lib' }, query });

  const IMPORTED = 'from 2026-03-02 00:00 to 2026-03-02 02:59 UTC';
  const POOR = 'from 2026-03-02 05:00 to 2026-03-02 05:59 UTC';
  const MIDDLE = 'from 2026-03-02 07:00 to 2026-03-02 19:59 UTC';
  const LAST = 'from 2026-03-02 22:00 to 2026-03-08 23:59 UTC';

  it('include the missing hours of a day, and an hour that only has events of other types', async () => {
    const { gaps } = await readCoverage(warehouse.database);
    const periodsOf = (type: string) =>
      gaps.filter((gap) => gap.type === type).map(({ period, hours }) => [period, hours]);
    expect(periodsOf('WatchEvent')).to.deep.equal([
      [IMPORTED, 3],
      [POOR, 1],
      [MIDDLE, 13],
      [LAST, 146],
    ]);
    expect(periodsOf('PushEvent')).to.deep.equal([
      [IMPORTED, 3],
      [MIDDLE, 13],
      [LAST, 146],
    ]);
  });

  it('have a notice if they are within the requested range', async () => {
    const whole = [`This data set has no star events ${IMPORTED}, ${POOR}, ${MIDDLE}, ${LAST}.`];
    expect(await stargazers({})).to.deep.equal(whole);
    expect(await stargazers({ from: '2026-03-01', to: '2026-03-01' })).to.deep.equal([]);
    expect(await stargazers({ from: '2026-03-05', to: '2026-03-20' })).to.deep.equal([
      `This data set has no star events ${LAST}.`,
    ]);
    expect(await stargazers({ from: '2026-02-20', to: '2026-03-01' })).to.deep.equal([
      'This data set has no star events before 2026-03-01.',
    ]);
    expect(await stargazers({ from: '2026-03-09', to: '2026-03-10' })).to.deep.equal([]);
  });

  it('have a notice if the range has no data at all', async () => {
    for (const name of ['list-countries-of-stargazers', 'list-organizations-of-stargazers', 'stargazers-history']) {
      for (const range of [{ to: '2005-12-31' }, { from: '1999-12-31', to: '2005-01-01' }] as Asked[]) {
        expect(await stargazers(range, name)).to.deep.equal(['This data set has no star events before 2026-03-01.']);
      }
    }
    for (const range of [{ from: '2027-01-01' }, { from: '2030-01-01', to: '2030-01-02' }] as Asked[]) {
      expect(await stargazers(range)).to.deep.equal(['This data set has no star events since 2026-03-10 12:00 UTC.']);
    }
  });

  it('have a notice if they are before the range of a history, because its totals start at the first event', async () => {
    const whole = [`This data set has no star events ${IMPORTED}, ${POOR}, ${MIDDLE}, ${LAST}.`];
    expect(await stargazers({ from: '2026-03-09' }, 'stargazers-history')).to.deep.equal(whole);
    expect(await stargazers({ to: '2026-03-01' }, 'stargazers-history')).to.deep.equal([]);
  });

  it('include the time before the data in the two periods of a ranking', async () => {
    for (const [kind, word, poor] of [
      ['stars', 'star', `${POOR}, `],
      ['issues', 'issue', ''],
      ['prs', 'pull request', ''],
    ] as const) {
      const asked = { path: { collection_id: '1' }, query: { period: 'past_month' } };
      expect(await notices(`collection-repo-ranking-by-${kind}`, asked)).to.deep.equal([
        `This data set has no ${word} events before 2026-03-01, ${IMPORTED}, ${poor}${MIDDLE}, ${LAST}.`,
      ]);
    }
  });

  it('have a notice if they are in the two months of the ranks of hot collections', async () => {
    expect(await notices('list-hot-collections')).to.deep.equal([
      'This data set has no star events before 2026-03-01.',
    ]);
  });

  it('have a notice for each type that trends count if they are within the period', async () => {
    expect(await notices('list-trending-repos', { query: { period: 'past_24_hours' } })).to.deep.equal([]);
    expect(await notices('list-trending-repos', { query: { period: 'past_week' } })).to.deep.equal([
      `This data set has no fork, issue, pull request, push, review, review comment, star events ${LAST}.`,
    ]);
    expect(await notices('list-trending-repos', { query: { period: 'past_month' } })).to.deep.equal([
      `This data set has no fork, star events before 2026-03-01, ${IMPORTED}, ${POOR}, ${MIDDLE}, ${LAST}.`,
      `This data set has no issue, pull request, push, review, review comment events before 2026-03-01, ${IMPORTED}, ${MIDDLE}, ${LAST}.`,
    ]);
  });

  it('become fewer when an hour is imported, and a long list of them is shortened', async () => {
    const extra = join(warehouse.folder, '2026-03-02-5.json.gz');
    await writeFile(extra, line('WatchEvent', '2026-03-02T05:45:00Z'));
    const alone = await Promise.all(
      [4, 6, 8].map(async (day) => {
        const file = join(warehouse.folder, `2026-03-0${day}-10.json`);
        await writeFile(file, line('WatchEvent', `2026-03-0${day}T10:00:00Z`));
        return file;
      }),
    );
    await warehouse.import([extra, ...alone]);
    expect(await stargazers({})).to.deep.equal([
      `This data set has no star events ${IMPORTED}, ${MIDDLE}, from 2026-03-02 22:00 to 2026-03-04 09:59 UTC, ` +
        'from 2026-03-04 11:00 to 2026-03-06 09:59 UTC, from 2026-03-06 11:00 to 2026-03-08 09:59 UTC, ' +
        'and 1 more, the last from 2026-03-08 11:00 to 2026-03-08 23:59 UTC; 159 hours in total.',
    ]);
  });
});

onEveryDatabase('the unknown creators', (make) => {
  let warehouse: TestWarehouse;
  let engine: Engine;

  before(async () => {
    warehouse = await make();
    engine = await engineOf(warehouse);
    const pull = (number: number, action: string, more: object = {}) =>
      line('PullRequestEvent', `2026-03-01T0${number}:00:00Z`, {
        action,
        number,
        pull_request: { id: number, ...more },
      });
    const lines = [
      pull(1, 'opened', { merged: true, merged_at: '2026-03-01T01:30:00Z', user: { id: 1, login: 'ada' } }),
      pull(2, 'merged'),
      pull(3, 'closed'),
      line('PullRequestReviewCommentEvent', '2026-03-01T05:00:00Z', {
        action: 'created',
        pull_request: { id: 4, number: 4, merged_at: '2026-02-28T01:00:00Z', user: { id: 1, login: 'ada' } },
        comment: { id: 9 },
      }),
      line('IssuesEvent', '2026-03-01T06:00:00Z', { action: 'closed', issue: { id: 7, number: 7 } }),
    ];
    const file = join(warehouse.folder, 'events.json');
    await writeFile(file, lines.join('\n'));
    await warehouse.import([file]);
  });
  after(() => warehouse.close());

  const ask = async (name: string) => {
    return engine.run(engine.endpoint(name), { path: { owner: 'ada', repo: 'lib' }, query: {} });
  };

  it('are counted in a notice of each operation on the creators of pull requests and issues', async () => {
    const pulls = ['Pull requests of this repository without a known creator: 3. They are not counted.'];
    const issues = ['Issues of this repository without a known creator: 1. They are not counted.'];
    for (const [kind, expected] of [
      ['pr', pulls],
      ['issue', issues],
    ] as const) {
      const long = kind === 'pr' ? 'pull-request' : 'issue';
      const names = [
        `list-${long}-creators`,
        `list-countries-of-${kind}-creators`,
        `list-organizations-of-${kind}-creators`,
        `${long}-creators-history`,
      ];
      for (const name of names) expect((await ask(name)).notices, name).to.deep.equal(expected);
    }
  });

  it('do not count a pull request that only has review events, but its merge counts', async () => {
    const { rows } = await ask('list-pull-request-creators');
    expect(rows).to.deep.equal([[1, 'ada', '', 1, '2026-03-01 01:00:00', '2026-02-28 01:00:00']]);
    expect(await warehouse.rows('SELECT pull_requests FROM mv_repo_totals')).to.deep.equal([['3']]);
  });

  it('are listed as accounts, with a notice that they may be bots', async () => {
    await warehouse.store.write((tables) => tables.run('DELETE FROM github_users WHERE id = 1'));
    await refreshFull(warehouse.store);
    const { rows, notices } = await ask('list-pull-request-creators');
    expect(rows.map((row) => row[1])).to.deep.equal(['']);
    expect(notices.at(-1)).to.equal(
      'Accounts without a known login: 1. It is unknown whether they are bots. The list includes them.',
    );
  });
});

describeEmbedded('archive files that run over the end of their hour', () => {
  it('do not cover the hour or the day after it', async () => {
    const warehouse = await testWarehouse();
    const times = {
      '2026-03-01-23': ['2026-03-01T23:15:00Z', '2026-03-02T00:00:10Z'],
      '2026-03-03-0': ['2026-03-03T00:10:00Z', '2026-03-03T01:00:05Z'],
      '2026-03-03-2': ['2026-03-03T02:10:00Z', '2026-03-03T02:50:00Z'],
    };
    const files = Object.entries(times).map(async ([name, own]) => {
      const file = join(warehouse.folder, `${name}.json`);
      await writeFile(file, own.map((time) => line('PushEvent', time)).join('\n'));
      return file;
    });
    await warehouse.import(await Promise.all(files));
    const { gaps } = await readCoverage(warehouse.database);
    expect(gaps.filter(({ type }) => type === 'PushEvent').map(({ period }) => period)).to.deep.equal([
      'from 2026-03-02 to 2026-03-02',
      'from 2026-03-03 01:00 to 2026-03-03 01:59 UTC',
    ]);
    await warehouse.close();
  });
});

function line(type: string, time: string, payload: object = { action: 'started' }): string {
  return JSON.stringify({
    id: '1',
    type,
    actor: { id: 1, login: 'ada' },
    repo: { id: 5, name: 'ada/lib' },
    payload,
    created_at: time,
  });
}
