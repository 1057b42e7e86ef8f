import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { REPOSITORIES } from '../../github/enrichment/profile-target.js';
import { storeProfiles } from '../../github/enrichment/store-profiles.js';
import { storeCollections } from '../../warehouse/collections.js';
import { readCoverage } from '../../warehouse/coverage.js';
import { refreshFull } from '../../warehouse/derived/refresh.js';
import { refreshAsOf } from '../../warehouse/derived/refresh-as-of.js';
import { USER_SOURCE_COLUMNS } from '../../warehouse/import/facts/merge-users.js';
import { migrate } from '../../warehouse/migrate.js';
import { describeEmbeddedOnly } from './embedded-only.js';
import { interruptedImport } from './interrupted-import.js';
import { apiLine, type NamedLine, timelineLine } from './named-events.js';
import { madeId } from './oracle-events.js';
import type { Rows } from './oracle-tables.js';
import { noticesBy } from './provisional-notices.js';
import { IMPORT_STEPS } from './store-steps.js';
import { onEveryDatabase, type TestWarehouse } from './test-warehouse.js';

const [LIBRARY, FIRST, SECOND, RENAMED, FORK] = [101, 201, 202, 301, 401];
const KINDS = ['WatchEvent', 'ForkEvent', 'PushEvent', 'IssuesEvent', 'PullRequestEvent'] as const;

const each = (line: NamedLine) =>
  KINDS.map((type, index) => ({ ...line, type, number: index + 1, at: line.at.replace('00:00:', `0${index}:00:`) }));

/** Two repositories had the name ada/reused: one before 2012-06-01 12:00, the other after 2012-10-01 00:00. */
const HOURS: Readonly<Record<string, readonly string[]>> = {
  early: [
    apiLine({ at: '2012-02-01T00:00:00Z', name: 'ada/reused', id: FIRST, actor: 'hal' }),
    apiLine({ at: '2012-06-01T12:00:00Z', name: 'Ada/reused', id: FIRST, actor: 'ida' }),
  ],
  march: [
    ...each({ at: '2012-03-11T00:00:01Z', name: 'ada/lib', details: { watchers: 9 } }),
    ...each({ at: '2012-03-11T00:00:02Z', name: 'ada/old', details: { created_at: '2012-01-02T10:00:00-08:00' } }),
    ...each({ at: '2012-03-11T00:00:03Z', name: 'ada/lost' }),
    timelineLine({ at: '2012-03-11T00:00:04Z', name: 'ada/reused', details: { description: 'The first' } }),
    timelineLine({ at: '2012-03-11T00:00:05Z', name: 'ada/forked', details: { language: 'Ruby' } }),
  ].map((line) => (typeof line === 'string' ? line : timelineLine(line))),
  september: [
    ...each({ at: '2012-09-01T00:00:01Z', name: 'ADA/Lib', actor: 'joe' }),
    ...each({ at: '2012-07-01T00:00:02Z', name: 'ada/reused', actor: 'joe' }),
    ...each({ at: '2012-09-01T00:00:03Z', name: 'ada/reused', actor: 'joe', details: { watchers: 70 } }),
  ].map((line) => timelineLine(line)),
  named: [
    timelineLine({
      at: '2012-10-01T00:00:00Z',
      name: 'ada/reused',
      id: SECOND,
      details: { description: 'The second' },
    }),
    ...each({ at: '2013-02-15T00:00:01Z', name: 'ada/lib', id: LIBRARY, actor: 'gil' }).map(timelineLine),
    timelineLine({ at: '2013-02-15T00:00:02Z', name: 'ada/old', id: RENAMED }),
  ],
  later: [
    apiLine({ at: '2015-01-01T00:00:01Z', name: 'ada/new', id: RENAMED, actor: 'kim' }),
    apiLine({ at: '2015-01-01T00:00:02Z', name: 'ada/lib', id: LIBRARY, type: 'PushEvent', actor: 'kim' }),
    apiLine({
      at: '2015-01-01T00:00:03Z',
      name: 'ada/lib',
      id: LIBRARY,
      type: 'ForkEvent',
      actor: 'kim',
      forkee: { id: FORK, full_name: 'ada/forked', created_at: '2015-01-01T00:00:03Z' },
    }),
  ],
};
const NAMES = Object.keys(HOURS);

const write = async ({ folder }: TestWarehouse, names: readonly string[], prefix = '') => {
  const files = names.map((name) => join(folder, `${prefix}${name}.json`));
  for (const [index, name] of names.entries()) {
    await writeFile(files[index] ?? '', (HOURS[name] ?? []).map((line) => `${line}\n`).join(''));
  }
  return files;
};

const ORDERS = [
  ['later', 'named', 'september', 'march', 'early'],
  ['march', 'september', 'named', 'early', 'later'],
] as const;

onEveryDatabase('events with a repository name and no id', (make) => {
  let clean: TestWarehouse;
  let expected: Record<string, Rows>;
  before(async () => {
    clean = await make();
    await clean.import(await write(clean, NAMES));
    expected = await clean.everything();
  });
  after(() => clean.close());
  const inOther = async (work: (other: TestWarehouse) => Promise<void>) => {
    const other = await make();
    try {
      await work(other);
      expect(await other.everything()).to.deep.equal(expected);
    } finally {
      await other.close();
    }
  };

  it('belong to the repository of that name, and of two to the one with the nearest time', async () => {
    const rows = await clean.rows(`
      SELECT LOWER(repo_name), DATE(created_at), repo_id, provisional_repo_id, COUNT(*) FROM github_events
      WHERE provisional_repo_id <> 0 GROUP BY LOWER(repo_name), DATE(created_at), repo_id, provisional_repo_id`);
    const row = (name: string, day: string, repository: number, events: number) =>
      [name, day, repository, madeId(name), events].map(String);
    expect(rows).to.have.deep.members([
      row('ada/lib', '2012-03-11', LIBRARY, 5),
      row('ada/lib', '2012-09-01', LIBRARY, 5),
      row('ada/old', '2012-03-11', RENAMED, 5),
      row('ada/lost', '2012-03-11', madeId('ada/lost'), 5),
      row('ada/forked', '2012-03-11', FORK, 1),
      row('ada/reused', '2012-03-11', FIRST, 1),
      row('ada/reused', '2012-07-01', FIRST, 5),
      row('ada/reused', '2012-09-01', SECOND, 5),
    ]);
  });

  it('add facts that the repository does not have', async () => {
    const rows = await clean.rows(
      'SELECT repo_id, repo_name, primary_language, description, stars, created_at, last_event_at FROM github_repos',
    );
    const lost = [String(madeId('ada/lost')), 'ada/lost', '', '', '1', null, '2012-03-11 04:00:03'];
    expect(rows).to.have.deep.members([
      ['101', 'ada/lib', '', '', '9', null, '2015-01-01 00:00:03'],
      ['201', 'Ada/reused', '', '', '4', null, '2012-06-01 12:00:00'],
      ['202', 'ada/reused', '', 'The second', '70', null, '2012-10-01 00:00:00'],
      ['301', 'ada/new', '', '', '2', '2012-01-02 18:00:00', '2015-01-01 00:00:01'],
      ['401', 'ada/forked', 'Ruby', '', '1', '2015-01-01 00:00:03', '2012-03-11 00:00:05'],
      lost,
    ]);
  });

  it(`give the same rows in the order ${ORDERS[0].join(', ')}, also after an interruption, a full refresh, and when repeated`, () =>
    inOther(async (other) => {
      for (const [index, file] of (await write(other, ORDERS[0])).entries()) {
        if (index === 2) await interruptedImport(other, [file], { step: IMPORT_STEPS.betweenDerivedTables });
        await other.import([file]);
      }
      expect(await other.everything()).to.deep.equal(expected);
      await refreshFull(other.store);
      expect(await other.everything()).to.deep.equal(expected);
      const again = await write(other, ORDERS[0], 'again-');
      await writeFile(again[0] ?? '', `${(HOURS[ORDERS[0][0]] ?? []).join('\r\n')}\r\n`);
      await other.import(again);
    }));

  it('are merged by the migration if an earlier version did not merge them', () =>
    inOther(async (other) => {
      // The import merges no repositories, because the name has another owner here. This simulates a program version that does not merge
      // provisional repositories.
      const apart = await write(other, ['early', 'named', 'later'], 'apart-');
      for (const [index, name] of ['early', 'named', 'later'].entries()) {
        const text = (HOURS[name] ?? []).join('\n').replaceAll(/"(ada|Ada)(\/|")/g, '"zz$1$2');
        await writeFile(apart[index] ?? '', text);
      }
      await other.import([...(await write(other, ['march', 'september'])), ...apart]);
      await takeBack(other);
      expect(await migrate(other.store)).to.deep.equal(PROVISIONAL_VERSIONS);
      expect(await migrate(other.store)).to.deep.equal([]);
    }));

  it('move the collections, subscriptions and trends that refer to them, and do not change newer facts from GitHub', async () => {
    const other = await make();
    try {
      const [march = '', later = '', named = ''] = await write(other, ['march', 'later', 'named']);
      await other.import([march]);
      const [library, lost] = [madeId('ada/lib'), madeId('ada/lost')];
      await storeCollections(other.store, [
        { id: 1, name: 'Both', items: [{ repo_name: 'ada/lib' }, { repo_name: 'ada/lost' }] },
      ]);
      await other.store.write((tables) =>
        tables.insertRows('sys_subscribed_repos', [
          [1, library, 1, '2026-01-01 00:00:00'],
          [1, lost, 1, '2026-01-01 00:00:00'],
          [2, library, 1, '2026-01-02 00:00:00'],
          [2, LIBRARY, 0, '2026-01-01 00:00:00'],
          [3, library, 0, '2026-01-02 00:00:00'],
          [3, LIBRARY, 1, '2026-01-01 00:00:00'],
        ]),
      );
      await refreshAsOf(other.store, new Date('2012-03-12T00:00:00Z'));
      await other.import([named]);
      const profile = { repo_id: LIBRARY, description: 'Of GitHub', stars: 50, primary_language: 'Rust' };
      await storeProfiles(other.store, REPOSITORIES, [profile], '2026-01-01 00:00:00');
      await other.import([later]);
      expect(
        await other.rows(`SELECT description, stars, primary_language FROM github_repos WHERE repo_id = ${LIBRARY}`),
      ).to.deep.equal([['Of GitHub', '50', 'Rust']]);
      expect({
        items: await other.rows('SELECT repo_name, repo_id FROM collection_items'),
        subscriptions: await other.rows('SELECT * FROM sys_subscribed_repos'),
        trends: await other.rows(
          'SELECT DISTINCT repo_id FROM mv_trending_repos WHERE repo_id NOT IN (SELECT repo_id FROM github_repos)',
        ),
      }).to.deep.equal({
        items: [
          ['ada/lib', String(LIBRARY)],
          ['ada/lost', String(lost)],
        ],
        subscriptions: [
          ['1', String(lost), '1', '2026-01-01 00:00:00'],
          ['1', String(LIBRARY), '1', '2026-01-01 00:00:00'],
          ['2', String(LIBRARY), '1', '2026-01-02 00:00:00'],
          ['3', String(LIBRARY), '1', '2026-01-01 00:00:00'],
        ],
        trends: [],
      });
    } finally {
      await other.close();
    }
  });

  describeEmbeddedOnly(make, () => {
    it(`give the same rows in one import in the order ${ORDERS[1].join(', ')}, in batches of one event, after an interruption`, () =>
      inOther(async (other) => {
        const files = await write(other, ORDERS[1]);
        await interruptedImport(other, files, { step: IMPORT_STEPS.beforeCommit, time: 4 });
        await other.import(files, { batchEvents: 1 });
      }));

    it('appear in the status and in a notice of each answer about them until an event has the id of the name', async () => {
      const items = ['ada/lib', 'ada/lost'].map((name) => ({ repo_name: name }));
      await storeCollections(clean.store, [
        { id: 1, name: 'Known', items: items.slice(0, 1) },
        { id: 2, name: 'Both', items },
      ]);
      const ofRepository = await noticesBy(
        clean,
        '/v1/repos/',
        (repo) => ({ owner: 'Ada', repo }),
        ['lost', 'lib'],
        ABOUT,
      );
      const own =
        'Events of ada/lost without a repository id are counted as a separate repository, because the import found no id ' +
        'for this name. Events of the same repository under other ids or names are counted separately.';
      expect(ofRepository).to.deep.equal(Array(11).fill([own, undefined]));
      const ofCollection = await noticesBy(
        clean,
        '/v1/collections/{',
        (id) => ({ collection_id: id }),
        ['2', '1'],
        ABOUT,
      );
      const listed = (list: string) =>
        `Repositories in ${list} that are known only by name, because the import found no id for them: 1. Events of the same ` +
        'repositories under other ids or names are counted separately.';
      expect(ofCollection).to.deep.equal(Array(4).fill([listed('this collection'), undefined]));
      expect(await noticesBy(clean, '/v1/collections/hot', () => ({}), [''], ABOUT)).to.deep.equal([
        [listed('the public collections')],
      ]);
      const { provisional } = await readCoverage(clean.database);
      expect(provisional.repositories).to.deep.equal({ count: 1, events: 5 });
    });

    it('are merged by the migration if github_repos does not have the times of the newest events', async () => {
      const other = await make();
      try {
        await other.import(await write(other, NAMES));
        const uses = await other.rows('SELECT * FROM repo_name_uses');
        await other.store.write((tables) =>
          tables.run(
            "UPDATE github_repos SET last_event_at = NULL, created_at = '2012-01-01 00:00:00' WHERE repo_id > 0",
          ),
        );
        await takeBack(other);
        expect(await migrate(other.store)).to.deep.equal(PROVISIONAL_VERSIONS);
        const names = (rows: Rows) => rows.map(([name, id]) => [name, id]);
        expect(names(await other.rows('SELECT * FROM repo_name_uses'))).to.have.deep.members(names(uses));
      } finally {
        await other.close();
      }
    });
  });
});

/** Matches the start of notices about repositories. */
const ABOUT = /^(Events|Repositories) /;

const PROVISIONAL_VERSIONS = ['0011-provisional-repositories', '0022-provisional-accounts'];

/** Changes the tables to the state that schema version 10 would have for the same events. */
async function takeBack({ store }: TestWarehouse): Promise<void> {
  const renamed = {
    github_events: ['repo_name'],
    github_repos: ['repo_name', 'repo_name_lower', 'owner_login'],
    repo_owners: ['owner_login'],
  };
  await store.write(async (tables) => {
    await tables.run('UPDATE github_events SET actor_id = provisional_actor_id WHERE provisional_actor_id < 0');
    await tables.run('DELETE FROM github_users WHERE id IN (SELECT id FROM user_sources)');
    const columns = USER_SOURCE_COLUMNS.filter((column) => column !== 'target_id');
    await tables.insert('github_users', columns, `SELECT ${columns.join(', ')} FROM user_sources`);
  });
  const statements = [
    ...['repo_name_uses', 'repo_sources', 'user_name_uses', 'user_sources'].map((table) => `DROP TABLE ${table}`),
    ...['repo', 'actor'].flatMap((kind) => [
      `DROP INDEX by_provisional_${kind} ON github_events`,
      `ALTER TABLE github_events DROP COLUMN provisional_${kind}_id`,
    ]),
  ];
  await store.define(statements, async (tables) => {
    await tables.run('DELETE FROM schema_versions WHERE version IN (11, 22)');
    await tables.run("DELETE FROM table_refreshes WHERE name IN ('provisional-repositories', 'provisional-accounts')");
    for (const [table, columns] of Object.entries(renamed)) {
      for (const column of columns) await tables.run(`UPDATE ${table} SET ${column} = REPLACE(${column}, 'zz', '')`);
    }
  });
  await refreshFull(store);
}
