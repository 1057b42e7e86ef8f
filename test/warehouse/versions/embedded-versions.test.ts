import { rm } from 'node:fs/promises';
import { expect } from 'chai';
import type { EmbeddedDatabase } from '../../../engine/databases/duckdb/embedded.js';
import { migrate } from '../../../warehouse/migrate.js';
import { EmbeddedStore } from '../../../warehouse/store/embedded-store.js';
import { describeEmbedded } from '../../services/server.js';
import { openTestFile } from '../test-store.js';
import { temporaryFolder } from '../test-warehouse.js';

describeEmbedded('the versions of tables in a file', () => {
  let folder: string;
  let database: EmbeddedDatabase;
  let store: EmbeddedStore;

  before(async () => {
    folder = await temporaryFolder();
    database = await openTestFile(folder);
    store = new EmbeddedStore(database);
    await migrate(store);
    await store.versions.confirm();
  });
  after(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });

  it('are known without a query, also directly after a commit', async () => {
    const before = store.versions.recent();
    await store.write((tables) => tables.insertRows('collections', [[1, 'One', 1]]));
    const after = store.versions.recent();
    expect(after?.tables.get('collections')).to.not.equal(before?.tables.get('collections'));
    const stored = await store.write((tables) =>
      tables.rows("SELECT commit_number, token FROM data_versions WHERE table_name = 'collections'"),
    );
    expect(after?.tables.get('collections')).to.equal(stored[0]?.join('.'));
  });

  it('change if SQL on the staging database writes a table directly', async () => {
    const writes: Readonly<Record<string, string | undefined>> = {
      "INSERT INTO country_names VALUES ('x', 'XX')": 'country_names',
      'UPDATE\n  GitHub_Users SET is_bot = 1': 'github_users',
      'DELETE FROM blacklist_users': 'blacklist_users',
      'MERGE INTO repo_owners t USING repo_owners d ON t.repo_id = d.repo_id WHEN MATCHED THEN DELETE': 'repo_owners',
      'TRUNCATE blacklist_repos': 'blacklist_repos',
      'CREATE TEMP TABLE staged AS SELECT * FROM github_users; DROP TABLE staged': undefined,
    };
    for (const [sql, table] of Object.entries(writes)) {
      const before = (await store.versions.confirm()).tables;
      await store.write(({ staging }) => staging.run(sql));
      const after = (await store.versions.confirm()).tables;
      expect([...after.keys()].filter((name) => after.get(name) !== before.get(name))).to.deep.equal(
        table === undefined ? [] : [table],
      );
    }
    const before = (await store.versions.confirm()).tables.get('calendar_days');
    await store.write(async ({ staging }) => (await staging.createAppender('calendar_days')).closeSync());
    expect((await store.versions.confirm()).tables.get('calendar_days')).to.not.equal(before);
  });

  it('are confirmed only when no commit is in progress', async () => {
    const { versions } = store;
    const events: string[] = [];
    const change = (table: string, version: string) => ({ tables: new Set([table]), version });
    const [first, second] = [versions.begin(change('t1', '1.a')), versions.begin(change('t2', '2.b'))];
    const confirmed = versions.confirm().then(({ tables }) => {
      events.push(`confirmed ${tables.get('t1')} ${tables.get('t2')}`);
    });
    await macrotask();
    first.succeed();
    await macrotask();
    events.push('first ended');
    second.succeed();
    await confirmed;
    expect(events).to.deep.equal(['first ended', 'confirmed 1.a 2.b']);
  });

  it('are read again after a commit that failed', async () => {
    const before = (await store.versions.confirm()).tables;
    // DuckDB only detects a duplicate key of another connection at the COMMIT.
    const failed = store.write(async (tables) => {
      await tables.insertRows('osdb_repos', [[1, 'a/b', 'SQL']]);
      await database.change((connection) => connection.run("INSERT INTO osdb_repos VALUES (1, 'c/d', 'SQL')"));
    });
    expect(await failed.catch(String)).to.match(/constraint|[Cc]onflict/);
    const known = store.versions.known;
    const { tables } = await store.versions.confirm();
    expect(known, 'unknown until they are read').to.equal(undefined);
    // The test above has added versions that are not stored.
    expect(tables).to.deep.equal(new Map([...before].filter(([table]) => !/^t[12]$/.test(table))));
    expect(await store.write((rows) => rows.rows('SELECT name FROM osdb_repos'))).to.deep.equal([['c/d']]);
  });
});

function macrotask(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
