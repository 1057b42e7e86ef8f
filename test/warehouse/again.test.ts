import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { refreshFull } from '../../warehouse/derived/refresh.js';
import type { ImportProgress } from '../../warehouse/import/import-options.js';
import { migrate } from '../../warehouse/migrate.js';
import { readMigrations } from '../../warehouse/schema/migrations.js';
import { errorOf } from '../databases/failures.js';
import { apiLine } from './named-events.js';
import { FIXTURES, onEveryDatabase, type TestWarehouse } from './test-warehouse.js';

const FILES = ['2011-02-15-0.json', '2013-02-15-8.json', '2015-01-01-15.json', '2026-01-25-11.json'];

/** SQL assignments that set missing values of events to the values that earlier program versions stored. */
const OLD_VALUES = [
  ['id', 'repo_id', 'actor_id', 'additions', 'deletions', 'number', 'comment_id', 'org_id', 'comments', 'pr_merged'],
  ['pr_changed_files', 'pr_review_comments', 'pr_or_issue_id', 'push_size', 'creator_user_id'],
]
  .flat()
  .map((column) => `${column} = COALESCE(${column}, 0)`)
  .concat(
    ['repo_name', 'actor_login', 'language', 'action', 'commit_id', 'org_login', 'state', 'creator_user_login'].map(
      (column) => `${column} = COALESCE(${column}, '')`,
    ),
    ['closed_at', 'pr_merged_at', 'pr_or_issue_created_at'].map(
      (column) => `${column} = COALESCE(${column}, '1970-01-01 00:00:00')`,
    ),
    ['push_distinct_size = COALESCE(push_distinct_size, push_size)'],
  )
  .join(', ');

onEveryDatabase('rows of an earlier version', (make) => {
  let warehouse: TestWarehouse;
  let expected: Awaited<ReturnType<TestWarehouse['everything']>>;
  const files = FILES.map((file) => join(FIXTURES, file));

  beforeEach(async () => {
    warehouse = await make();
    await warehouse.import(files);
    expected = await warehouse.everything();
    await warehouse.store.write((tables) => tables.run(`UPDATE github_events SET ${OLD_VALUES}`));
  });
  afterEach(() => warehouse.close());

  it('are corrected by the migration if the row allows it, and the derived tables are corrected, too', async () => {
    await warehouse.store.write(async (tables) => {
      await tables.run('DELETE FROM schema_versions WHERE version IN (12, 23, 25, 27)');
      await tables.run(
        'UPDATE mv_repo_pull_requests SET creator_id = COALESCE(creator_id, 0) WHERE merged_at IS NOT NULL',
      );
      await tables.run('UPDATE mv_event_coverage SET hours = 0');
      await tables.run('DELETE FROM imported_hours');
      await tables.run('DELETE FROM mv_feed_gaps');
    });
    await undoTables(warehouse);
    expect(await migrate(warehouse.store)).to.deep.equal([
      '0012-hours-and-unknown-values',
      '0023-people-without-id',
      '0025-counted-stars',
      '0027-event-shares',
    ]);
    expect(await warehouse.everything()).to.deep.equal(expected);
  });

  it('are corrected by a migration that was interrupted before', async () => {
    const { store } = warehouse;
    await store.write((tables) => tables.run('DELETE FROM schema_versions WHERE version IN (12, 23, 25, 27)'));
    await undoTables(warehouse);
    const step = (await readMigrations()).find(({ version }) => version === 12);
    await store.define(step?.statements.slice(0, 1) ?? [], async () => undefined);
    await store.write((tables) => tables.run("UPDATE github_events SET closed_at = NULL WHERE type = 'WatchEvent'"));
    await migrate(store);
    expect(await warehouse.everything()).to.deep.equal(expected);
  });

  it('are not stored twice after an import of a file with the same events', async () => {
    const copy = join(warehouse.folder, 'copy.json');
    writeFileSync(copy, `${readFileSync(files[2] ?? '', 'utf8')}\n`);
    const { events } = await warehouse.import([copy]);
    expect(events).to.equal(0);
  });

  it('are replaced by repeated imports of their files, and no other rows are', async () => {
    const before = await warehouse.rows('SELECT * FROM github_events WHERE event_year = 2011');
    for (let time = 0; time < 2; time++) {
      const { events, files: outcomes } = await warehouse.import(files.slice(1), { again: true });
      const there = outcomes.map(({ state, events: all, alreadyThere }) => [state, all - alreadyThere]);
      expect([events, there]).to.deep.equal([0, Array(3).fill(['imported', 0])]);
    }
    expect(await warehouse.rows('SELECT * FROM github_events WHERE event_year = 2011')).to.deep.equal(before);
    await warehouse.import(files, { again: true });
    expect(await warehouse.everything()).to.deep.equal(expected);
    expect(await warehouse.rows('SELECT COUNT(*) FROM import_files')).to.deep.equal([['4']]);
  });

  it('are in the derived tables when a repeated import was interrupted', async () => {
    await warehouse.store.write((tables) =>
      tables.run("UPDATE github_events SET pr_merged = NULL, pr_merged_at = NULL WHERE type LIKE 'PullRequest%'"),
    );
    await refreshFull(warehouse.store);
    const onProgress = ({ files: done }: ImportProgress) => {
      if (done === files.length) throw new Error('interrupted');
    };
    expect((await errorOf(warehouse.import(files, { again: true, onProgress }))).message).to.equal('interrupted');
    expect(await warehouse.everything()).to.deep.equal(expected);
  });

  it('give the same derived tables in a warehouse of an earlier version', async () => {
    await refreshFull(warehouse.store);
    const { github_events: _old, ...derived } = await warehouse.everything();
    const { github_events: _new, ...others } = expected;
    expect(derived).to.deep.equal(others);
  });
});

onEveryDatabase('an hour that the archive published again', (make) => {
  let warehouse: TestWarehouse;
  let clean: TestWarehouse;
  const TYPES = ['WatchEvent', 'IssuesEvent', 'PullRequestEvent', 'PushEvent', 'ForkEvent'] as const;
  const lines = (hour: number, numbers: readonly number[]) =>
    numbers.map((number) => {
      const second = String(number % 60).padStart(2, '0');
      const at = `2015-01-01T0${hour}:1${number % 7}:${second}Z`;
      const [type = 'PushEvent', id] = [TYPES[number % 5], 300 + (number % 4)];
      return apiLine({ at, name: `ada/tool-${id}`, id, type, actor: `person-${number % 11}`, number });
    });
  const published = lines(
    5,
    Array.from({ length: 40 }, (_, number) => number),
  );
  /** The file without some of its events, and with other events. */
  const republished = lines(
    5,
    Array.from({ length: 45 }, (_, number) => number).filter((number) => number % 6 !== 1),
  );

  beforeEach(async () => {
    [warehouse, clean] = [await make(), await make()];
  });
  afterEach(() => Promise.all([warehouse.close(), clean.close()]));

  const file = async (name: string, lines: readonly string[]) => {
    const path = join(warehouse.folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${lines.join('\n')}\n`);
    return path;
  };
  it('has the events of its new file only, in all tables', async () => {
    const [neighbour, before] = [
      await file('2015-01-01-6.json', lines(6, [1, 2, 3, 4])),
      await file('2015-01-01-5.json', published),
    ];
    await warehouse.import([before, neighbour]);
    const after = await file('new/2015-01-01-5.json', republished);
    const { files } = await warehouse.import([after], { again: true });
    expect(files.map(({ message }) => message)).to.deep.equal([undefined]);
    await clean.import([after, neighbour]);
    for (const table of Object.keys(await clean.everything())) {
      // These columns keep facts that only removed events contained.
      if (
        ['github_repos', 'github_users', 'mv_user_names', 'mv_repo_names', 'repo_name_uses', 'user_name_uses'].includes(
          table,
        )
      )
        continue;
      expect(await warehouse.rows(`SELECT * FROM ${table}`), table).to.deep.equal(
        await clean.rows(`SELECT * FROM ${table}`),
      );
    }
    expect(await warehouse.rows('SELECT source FROM import_files ORDER BY source')).to.deep.equal([
      [neighbour],
      [after],
    ]);
    await warehouse.import([after, neighbour]);
    await warehouse.import([await file('2015-01-01-7.json', [])], { again: true });
    expect(await warehouse.rows('SELECT COUNT(*) FROM github_events')).to.deep.equal(
      await clean.rows('SELECT COUNT(*) FROM github_events'),
    );
  });

  it('replaces the events of more repositories than a statement can name', async () => {
    const stars = Array.from({ length: 21_000 }, (_, index) => {
      const second = String(index % 60).padStart(2, '0');
      return apiLine({ at: `2015-01-01T05:00:${second}Z`, name: `ada/tool-${index}`, id: 1000 + index });
    });
    await warehouse.import([await file('2015-01-01-5.json', stars)]);
    const { files } = await warehouse.import([await file('new/2015-01-01-5.json', stars.slice(1))], { again: true });
    expect(files[0]?.message).to.equal(undefined);
    const TOTALS = 'SELECT COUNT(*), COUNT(DISTINCT repo_id), MIN(repo_id), SUM(stars) FROM mv_repo_totals';
    expect(await warehouse.rows(TOTALS)).to.deep.equal([['20999', '20999', '1001', '20999']]);
    expect(await warehouse.rows('SELECT events FROM mv_event_coverage')).to.deep.equal([['20999']]);
  });

  it('keeps events that can be those of another file, and says so', async () => {
    const [day, before] = [
      await file('whole-day.json', lines(5, [50, 51])),
      await file('2015-01-01-5.json', published),
    ];
    await warehouse.import([before, day]);
    const [[count = ''] = []] = await warehouse.rows('SELECT COUNT(*) FROM github_events');
    const { files, events } = await warehouse.import([await file('new/2015-01-01-5.json', republished)], {
      again: true,
    });
    expect(files[0]?.message).to.equal(
      `Events of the earlier import of ${before} that are not in this file were kept: ${day} has events of the same times.`,
    );
    expect(await warehouse.rows('SELECT COUNT(*) FROM github_events')).to.deep.equal([[`${Number(count) + events}`]]);
  });

  it('keeps the events if the table has others than the imported files, and says so', async () => {
    const before = await file('2015-01-01-5.json', published);
    await warehouse.import([before]);
    await warehouse.store.write((tables) => tables.run("DELETE FROM github_events WHERE type = 'ForkEvent'"));
    const { files } = await warehouse.import([await file('new/2015-01-01-5.json', republished)], { again: true });
    expect(files[0]?.message).to.contain('the table has other events of these times than the imported files.');
  });
});

/** Undoes the tables of a migration step. On a server, repeating a step is not an error, but DuckDB would report that its tables exist. */
async function undoTables({ url, store }: TestWarehouse): Promise<void> {
  if (url !== undefined) return;
  await store.define(
    [
      'ALTER TABLE mv_event_coverage DROP COLUMN hours',
      'DROP TABLE imported_hours',
      'ALTER TABLE mv_repo_pull_requests DROP COLUMN has_event',
      'ALTER TABLE mv_repo_totals DROP COLUMN issues_without_creator',
      'ALTER TABLE mv_repo_totals DROP COLUMN pull_requests_without_creator',
      'ALTER TABLE mv_repo_totals DROP COLUMN people_without_id',
      'ALTER TABLE mv_repo_totals DROP COLUMN counted_stars',
      'DROP TABLE mv_event_shares',
      'ALTER TABLE mv_repo_issues DROP COLUMN in_events',
      'ALTER TABLE mv_repo_pull_requests DROP COLUMN in_events',
    ],
    async () => undefined,
  );
}
