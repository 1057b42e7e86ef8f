import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { fillWithDemo } from '../../../demo/fill-with-demo.js';
import { REPOSITORIES, USERS } from '../../../github/enrichment/profile-target.js';
import { storeProfiles } from '../../../github/enrichment/store-profiles.js';
import { importCollections } from '../../../warehouse/collections.js';
import { refreshFull } from '../../../warehouse/derived/refresh.js';
import { refreshAsOf } from '../../../warehouse/derived/refresh-as-of.js';
import type { ImportOptions } from '../../../warehouse/import/import-options.js';
import { importSources } from '../../../warehouse/import/import-sources.js';
import { mergeProvisional } from '../../../warehouse/import/merge-provisional.js';
import { migrate } from '../../../warehouse/migrate.js';
import { importOsdbRepos } from '../../../warehouse/osdb-repos.js';
import { clearUnknownValues } from '../../../warehouse/unknown-values.js';
import { createVisitCounter } from '../../../warehouse/visits.js';
import { apiLine, timelineLine } from '../named-events.js';
import { NOW } from '../test-store.js';
import { FIXTURES, onEveryDatabase, type TestWarehouse } from '../test-warehouse.js';
import { AuditedStore, auditedTables, type Step } from './audited-store.js';

onEveryDatabase('every transaction changes the version of each table whose rows it changes', (make) => {
  let warehouse: TestWarehouse;
  let store: AuditedStore;

  before(async () => {
    warehouse = await make();
    store = new AuditedStore(warehouse.store, warehouse.database);
    await store.write(async () => undefined);
  });
  after(() => warehouse.close());
  beforeEach(() => store.takeSteps());

  const file = async (name: string, lines: readonly string[]) => {
    const path = join(warehouse.folder, name);
    await writeFile(path, lines.map((line) => `${line}\n`).join(''));
    return path;
  };
  const load = (sources: readonly string[], options: Partial<ImportOptions> = {}) =>
    importSources(store, sources, { ...foldersOf(warehouse), now: NOW, ...options });

  /** Runs the work and returns the tables that it changed. Fails if no transaction changed rows. */
  const audit = async (work: () => Promise<unknown>): Promise<Set<string>> => {
    await work();
    const steps = await store.takeSteps();
    expect(steps.map(missing)).to.deep.equal(steps.map(() => []));
    const changed = new Set(steps.flatMap(({ rows }) => rows));
    expect(changed.size).to.be.above(0);
    return changed;
  };

  it('in an import of all eras', async () => {
    const changed = await audit(() => load([FIXTURES], { batchEvents: 1 }));
    expect([...changed]).to.include.members(['github_events', 'github_repos', 'github_users', 'repo_owners']);
    expect([...changed]).to.include.members(['repo_sources', 'repo_name_uses', 'import_files', 'mv_user_names']);
  });

  it('in an import that replaces the rows of an earlier import', async () => {
    await store.write((tables) => tables.run("UPDATE github_events SET repo_name = 'x/y'"));
    await store.takeSteps();
    expect([...(await audit(() => load([FIXTURES], { again: true })))]).to.include('github_events');
  });

  it('in imports that merge provisional repositories', async () => {
    const march = ['WatchEvent', 'PushEvent', 'IssuesEvent', 'PullRequestEvent'] as const;
    const provisional = march.map((type) => timelineLine({ at: '2012-03-11T00:00:02Z', name: 'ada/old', type }));
    const first = await file('march.json', provisional);
    const real = await file('later.json', [apiLine({ at: '2015-01-01T00:00:01Z', name: 'ada/old', id: 301 })]);
    await audit(() => load([first]));
    const changed = await audit(() => load([real]));
    expect([...changed]).to.include.members(['github_events', 'repo_sources', 'mv_repo_issues', 'mv_repo_stars']);
  });

  it('in the merge of repositories that an earlier version left provisional', async () => {
    await store.write(async (tables) => {
      await tables.run("DELETE FROM table_refreshes WHERE name = 'provisional-repositories'");
      await tables.run('UPDATE repo_sources SET target_id = repo_id WHERE repo_id < 0');
      await tables.run('UPDATE github_events SET repo_id = provisional_repo_id WHERE provisional_repo_id <> 0');
    });
    await store.takeSteps();
    expect([...(await audit(() => mergeProvisional(store)))]).to.include.members(['github_events', 'repo_sources']);
  });

  it('in the load of collections, also when it replaces them', async () => {
    const list = (name: string) => [`- { id: 7, name: ${name}, items: [{ repo_id: 301, repo_name: ada/new }] }`];
    for (const name of ['Tools', 'Things']) {
      const path = await file('collections.yaml', list(name));
      expect([...(await audit(() => importCollections(store, path)))]).to.include('collections');
    }
  });

  it('in the load of database repositories', async () => {
    const path = await file('osdb.yaml', ['- { group_name: SQL, repo_id: 301, repo_name: ada/new }']);
    expect([...(await audit(() => importOsdbRepos(store, path)))]).to.deep.equal(['osdb_repos']);
  });

  it('in an enrichment', async () => {
    const [[user = '', repo = ''] = []] = await warehouse.rows(
      'SELECT (SELECT MAX(id) FROM github_users), (SELECT MAX(repo_id) FROM github_repos)',
    );
    const users = () => storeProfiles(store, USERS, [{ id: String(user), followers: 77 }], '2026-01-01 00:00:00');
    expect([...(await audit(users))]).to.deep.equal(['github_users', 'mv_user_names', 'user_sources']);
    const profile = { repo_id: String(repo), description: 'Of GitHub', stars: 5000 };
    const repositories = () => storeProfiles(store, REPOSITORIES, [profile], '2026-01-01 00:00:00');
    expect([...(await audit(repositories))]).to.include.members(['github_repos', 'mv_repo_names']);
  });

  it('in the counts of visits, first and later on a day', async () => {
    const visits = createVisitCounter(store, () => NOW);
    for (const _ of [1, 2]) {
      visits.count(7);
      expect([...(await audit(() => visits.flush()))]).to.deep.equal(['collection_visits']);
    }
  });

  it('in a refresh of all tables', async () => {
    await store.write(async (tables) => {
      for (const table of ['mv_repo_stars', 'mv_repo_totals', 'mv_user_names', 'mv_feed_gaps']) {
        await tables.run(`DELETE FROM ${table}`);
      }
      await tables.run("UPDATE github_users SET is_bot = 1, organization = 'Acme', organization_formatted = 'x'");
    });
    await store.takeSteps();
    expect([...(await audit(() => refreshFull(store)))]).to.include.members(['mv_repo_stars', 'github_users']);
  });

  it('in the demo data, with profiles, trends and ranks', async () => {
    const demo = { events: 1_500, repositories: 20, people: 100, now: NOW };
    const changed = await audit(() => fillWithDemo(store, { ...foldersOf(warehouse), ...demo }));
    expect([...changed]).to.include.members(['mv_trending_repos', 'collections', 'github_users', 'imported_hours']);
  });

  it('in a refresh at a later time', async () => {
    const changed = await audit(() => refreshAsOf(store, new Date('2026-02-20T00:00:00Z')));
    expect([...changed]).to.include.members(['mv_trending_repos', 'collection_items', 'table_refreshes']);
  });

  it('in the removal of unknown values', async () => {
    await store.write((tables) => tables.run("UPDATE github_events SET commit_id = '' WHERE commit_id IS NULL"));
    await store.takeSteps();
    expect([...(await audit(() => clearUnknownValues(store)))]).to.deep.equal(['github_events']);
  });

  it('in a migration that only changes rows', async () => {
    await store.write(async (tables) => {
      await tables.run('DELETE FROM schema_versions WHERE version = 9');
      await tables.run('DELETE FROM country_names');
    });
    await store.takeSteps();
    expect([...(await audit(() => migrate(store)))]).to.include.members(['country_names', 'schema_versions']);
  });

  it('in a change of the tables, which counts as a change of all', async () => {
    await store.define(['ALTER TABLE osdb_repos ADD COLUMN note VARCHAR(10)'], async () => undefined);
    const [step] = await store.takeSteps();
    expect(step?.versions).to.include.members(await auditedTables());
  });

  it('and nothing changes if a transaction only reads, if a start finds all tables, or if no visits were counted', async () => {
    await store.write((tables) => tables.rows('SELECT COUNT(*) FROM github_events'));
    await store.write((tables) => tables.run('DELETE FROM collections WHERE id = -1'));
    await store.write((tables) => tables.insertRows('collections', []));
    await migrate(store);
    await createVisitCounter(store, () => NOW).flush();
    await load([FIXTURES]);
    await store.optimize();
    const steps = await store.takeSteps();
    expect(steps.length).to.be.above(4);
    expect(steps).to.deep.equal(steps.map(() => ({ rows: [], versions: [] })));
  });

  it('and a statement whose table cannot be determined is rejected', async () => {
    for (const statement of [
      'TRUNCATE TABLE collections',
      'DELETE FROM collections; DELETE FROM collection_items',
      'UPDATE collections c JOIN collection_items i ON i.collection_id = c.id SET c.name = 1',
      'DELETE collections FROM collections',
      'WITH x AS (SELECT 1) DELETE FROM collections',
      'SELECT 1',
    ]) {
      const error = await store.write((tables) => tables.run(statement)).catch((thrown: unknown) => thrown);
      expect(String(error)).to.include('Cannot determine which table this statement writes');
    }
  });
});

/** Returns the tables whose rows changed but whose versions did not. */
function missing({ rows, versions }: Step): readonly string[] {
  return rows.filter((table) => !versions.includes(table));
}

function foldersOf({ folder }: TestWarehouse) {
  return { stagingDirectory: join(folder, 'staging'), downloadDirectory: join(folder, 'downloads') };
}
