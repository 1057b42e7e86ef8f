import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { refreshFull } from '../../warehouse/derived/refresh.js';
import type { ImportProgress } from '../../warehouse/import/import-options.js';
import { migrate } from '../../warehouse/migrate.js';
import { readMigrations } from '../../warehouse/schema/migrations.js';
import { errorOf } from '../databases/failures.js';
import { describeEmbeddedOnly } from './embedded-only.js';
import { filledOnce } from './filled-warehouse.js';
import { apiLine } from './named-events.js';
import type { Rows } from './oracle-tables.js';
import { FIXTURES, onEveryDatabase, type TestWarehouse, testWarehouse } from './test-warehouse.js';

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

const SOURCES = FILES.map((file) => join(FIXTURES, file));

onEveryDatabase('rows of an earlier version', (make) => {
  let warehouse: TestWarehouse;
  let expected: Record<string, Rows>;
  const filled = filledOnce(make, async (first) => {
    await first.import(SOURCES);
    expected = await first.everything();
    await first.store.write((tables) => tables.run(`UPDATE github_events SET ${OLD_VALUES}`));
  });

  beforeEach(async () => {
    warehouse = await filled();
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

  it('give the same derived tables, and are replaced by repeated imports of their files, and no other rows are', async () => {
    await refreshFull(warehouse.store);
    const { github_events: _old, ...derived } = await warehouse.everything();
    const { github_events: _new, ...others } = expected;
    expect(derived).to.deep.equal(others);
    const before = await warehouse.rows('SELECT * FROM github_events WHERE event_year = 2011');
    const { events, files: outcomes } = await warehouse.import(SOURCES.slice(1), { again: true });
    const there = outcomes.map(({ state, events: all, alreadyThere }) => [state, all - alreadyThere]);
    expect([events, there]).to.deep.equal([0, Array(3).fill(['imported', 0])]);
    expect(await warehouse.rows('SELECT * FROM github_events WHERE event_year = 2011')).to.deep.equal(before);
    expect((await warehouse.import(SOURCES, { again: true })).events).to.equal(0);
    expect(await warehouse.everything()).to.deep.equal(expected);
    expect(await warehouse.rows('SELECT COUNT(*) FROM import_files')).to.deep.equal([['4']]);
  });

  describeEmbeddedOnly(make, () => {
    it('are not stored twice after an import of a file with the same events', async () => {
      const copy = join(warehouse.folder, 'copy.json');
      writeFileSync(copy, `${readFileSync(SOURCES[2] ?? '', 'utf8')}\n`);
      const { events } = await warehouse.import([copy]);
      expect(events).to.equal(0);
    });

    it('are in the derived tables when a repeated import was interrupted', async () => {
      await warehouse.store.write((tables) =>
        tables.run("UPDATE github_events SET pr_merged = NULL, pr_merged_at = NULL WHERE type LIKE 'PullRequest%'"),
      );
      await refreshFull(warehouse.store);
      const onProgress = ({ files: done }: ImportProgress) => {
        if (done === SOURCES.length) throw new Error('interrupted');
      };
      expect((await errorOf(warehouse.import(SOURCES, { again: true, onProgress }))).message).to.equal('interrupted');
      expect(await warehouse.everything()).to.deep.equal(expected);
    });
  });
});

const TYPES = ['WatchEvent', 'IssuesEvent', 'PullRequestEvent', 'PushEvent', 'ForkEvent'] as const;

/** Returns events with these numbers, in an hour of the first or the second day of 2015. */
function lines(hour: number, numbers: readonly number[], day = 1): string[] {
  return numbers.map((number) => {
    const second = String(number % 60).padStart(2, '0');
    const at = `2015-01-0${day}T0${hour}:1${number % 7}:${second}Z`;
    const [type = 'PushEvent', id] = [TYPES[number % 5], 300 + (number % 4)];
    return apiLine({ at, name: `ada/tool-${id}`, id, type, actor: `person-${number % 11}`, number });
  });
}

/** The events of an hour in its first file. */
const published = (day = 1) =>
  lines(
    5,
    Array.from({ length: 40 }, (_, number) => number),
    day,
  );
/** The file without some of its events, and with other events. */
const republished = (day = 1) =>
  lines(
    5,
    Array.from({ length: 45 }, (_, number) => number).filter((number) => number % 6 !== 1),
    day,
  );

async function writeLines({ folder }: TestWarehouse, name: string, lines: readonly string[]): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${lines.join('\n')}\n`);
  return path;
}

/** Imports an hour with stars of many repositories, and the same hour without the first star. */
async function replaceStars(warehouse: TestWarehouse, count: number): Promise<void> {
  const stars = Array.from({ length: count }, (_, index) => {
    const second = String(index % 60).padStart(2, '0');
    return apiLine({ at: `2015-01-01T05:00:${second}Z`, name: `ada/tool-${index}`, id: 1000 + index });
  });
  await warehouse.import([await writeLines(warehouse, '2015-01-01-5.json', stars)]);
  const again = await writeLines(warehouse, 'new/2015-01-01-5.json', stars.slice(1));
  const { files } = await warehouse.import([again], { again: true });
  expect(files[0]?.message).to.equal(undefined);
  const rest = String(count - 1);
  const TOTALS = 'SELECT COUNT(*), COUNT(DISTINCT repo_id), MIN(repo_id), SUM(stars) FROM mv_repo_totals';
  expect(await warehouse.rows(TOTALS)).to.deep.equal([[rest, rest, '1001', rest]]);
  expect(await warehouse.rows('SELECT events FROM mv_event_coverage')).to.deep.equal([[rest]]);
}

onEveryDatabase('an hour that the archive published again', (make) => {
  let warehouse: TestWarehouse;
  beforeEach(async () => {
    warehouse = await make();
  });
  afterEach(() => warehouse.close());

  it('has the events of its new file only, in all tables', async () => {
    const clean = await make();
    const [neighbour, before] = [
      await writeLines(warehouse, '2015-01-01-6.json', lines(6, [1, 2, 3, 4])),
      await writeLines(warehouse, '2015-01-01-5.json', published()),
    ];
    await warehouse.import([before, neighbour]);
    const after = await writeLines(warehouse, 'new/2015-01-01-5.json', republished());
    const { files } = await warehouse.import([after], { again: true });
    expect(files.map(({ message }) => message)).to.deep.equal([undefined]);
    await clean.import([after, neighbour]);
    const expected = await clean.everything();
    await clean.close();
    const actual = await warehouse.everything();
    expect(withoutKept(actual)).to.deep.equal(withoutKept(expected));
    expect(await warehouse.rows('SELECT source FROM import_files ORDER BY source')).to.deep.equal([
      [neighbour],
      [after],
    ]);
    await warehouse.import([after, neighbour]);
    await warehouse.import([await writeLines(warehouse, '2015-01-01-7.json', [])], { again: true });
    expect(await warehouse.rows('SELECT COUNT(*) FROM github_events')).to.deep.equal([
      [String(expected.github_events?.length)],
    ]);
  });

  // The embedded database limits the length of a text, and statements for a server name at most 500 repositories.
  it('replaces the events of more repositories than a statement can name', () =>
    replaceStars(warehouse, make === testWarehouse ? 21_000 : 600));

  describeEmbeddedOnly(make, () => {
    it('keeps events that can be those of another file, or that no imported file has, and says so', async () => {
      const [day, first, second] = [
        await writeLines(warehouse, 'whole-day.json', lines(5, [50, 51])),
        await writeLines(warehouse, '2015-01-01-5.json', published()),
        await writeLines(warehouse, '2015-01-02-5.json', published(2)),
      ];
      await warehouse.import([first, second, day]);
      await warehouse.store.write((tables) =>
        tables.run("DELETE FROM github_events WHERE type = 'ForkEvent' AND event_day = '2015-01-02'"),
      );
      const [[count = ''] = []] = await warehouse.rows('SELECT COUNT(*) FROM github_events');
      const again = [
        await writeLines(warehouse, 'new/2015-01-01-5.json', republished()),
        await writeLines(warehouse, 'new/2015-01-02-5.json', republished(2)),
      ];
      const { files, events } = await warehouse.import(again, { again: true });
      const kept = (before: string) =>
        `Events of the earlier import of ${before} that are not in this file were kept: `;
      expect(files.map(({ message }) => message)).to.deep.equal([
        `${kept(first)}${day} has events of the same times.`,
        `${kept(second)}the table has other events of these times than the imported files.`,
      ]);
      expect(await warehouse.rows('SELECT COUNT(*) FROM github_events')).to.deep.equal([[`${Number(count) + events}`]]);
    });
  });
});

/** Returns the rows without those tables that keep facts that only removed events contained. */
function withoutKept(rows: Record<string, Rows>): Record<string, Rows> {
  const { github_repos, github_users, mv_user_names, mv_repo_names, repo_name_uses, user_name_uses, ...others } = rows;
  return others;
}

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
