import { expect } from 'chai';
import { MysqlState } from '../../accounts/mysql-state.js';
import { exactCollation, withExactCollation } from '../../engine/databases/mysql/connection/flavor.js';
import type { Database } from '../../engine/index.js';
import { migrate } from '../../warehouse/migrate.js';
import { readMigrations, VERSIONS } from '../../warehouse/schema/migrations.js';
import { requireSchema } from '../../warehouse/schema/schema.js';
import { messageOf } from '../databases/failures.js';
import { createUsers } from '../service/demo-service.js';
import { execute, useMysql } from '../services/mysql.js';
import { IS_TIDB, itExceptOnTidb } from '../services/server.js';
import { openTestStore } from './test-store.js';
import { newDatabase, temporaryFolder } from './test-warehouse.js';

const FLAVOR = IS_TIDB ? 'tidb' : 'mariadb';
const EXACT = exactCollation(FLAVOR);
const UNCONVERTED = 'it does not convert text that has an index';
const PADDING = 'utf8mb4_bin';
/** The last schema version whose tables had a collation that ignores trailing spaces. */
const BEFORE = 7;

describe('text in the tables of an earlier version on a server', () => {
  const server = useMysql();

  it('is compared by its exact bytes after the migration, which keeps all rows', () =>
    onOldDatabase(async ({ url, database, migrated }) => {
      const later = (await readMigrations()).filter(({ version }) => version > BEFORE);
      expect(await messageOf(requireSchema(database))).to.contain(
        `have version 7; this program needs version ${later.at(-1)?.version}. Run`,
      );
      const before = await contents(url);
      expect(await migrated()).to.deep.equal(later.map(({ name }) => name));
      expect(await contents(url)).to.deep.equal(before);
      await requireSchema(database);
      expect(await collations(url)).to.deep.equal([EXACT]);
      const found = "SELECT login FROM github_users WHERE login IN ('ann ', 'bob')";
      expect(await execute(url, found)).to.deep.equal([{ login: 'bob' }]);
      const key = "SELECT COUNT(*) AS n FROM sys_accounts WHERE provider_account_id IN ('X', 'x ')";
      expect(await execute(url, 'SET NAMES utf8mb4 COLLATE utf8mb4_general_ci', key)).to.deep.equal([{ n: 0 }]);
      await execute(url, "INSERT INTO blacklist_users VALUES ('cy '), ('cy\t'), ('Cy')");
      expect(await migrated()).to.deep.equal([]);
    }));

  it('keeps a user that two subjects shared with the subject that created it', () =>
    onOldDatabase(async ({ url, database, migrated }) => {
      await migrated();
      const state = new MysqlState({ url });
      try {
        const users = createUsers(database, state);
        const now = new Date('2026-01-02T00:00:00Z');
        const account = { provider: 'host', login: 'x', name: '', email: '', avatarUrl: '', profileAt: now };
        const idOf = async (accountId: string) => (await users.signIn({ ...account, accountId }, now)).id;
        expect([await idOf('x'), await idOf('x '), await idOf('X'), await idOf('x ')]).to.deep.equal([1, 2, 3, 2]);
      } finally {
        await state.close();
      }
    }));

  itExceptOnTidb(UNCONVERTED, 'is converted completely after an interruption', () =>
    onOldDatabase(async ({ url, database, migrated }) => {
      const before = await contents(url);
      const half = ['github_users', 'sys_accounts', 'schema_versions'];
      await execute(
        url,
        ...half.map((table) => `ALTER TABLE ${table} CONVERT TO CHARACTER SET utf8mb4 COLLATE ${EXACT}`),
      );
      await migrated();
      await requireSchema(database);
      expect([await contents(url), await collations(url)]).to.deep.equal([before, [EXACT]]);
      await execute(url, 'DELETE FROM schema_versions WHERE version = 8');
      expect(await migrated()).to.deep.equal(['0008-exact-text']);
      await requireSchema(database);
    }),
  );

  itExceptOnTidb(
    UNCONVERTED,
    'is not converted in a table with another collation, which is rejected with the next step',
    () =>
      onOldDatabase(async ({ url, database, migrated }) => {
        await execute(url, 'ALTER TABLE github_repos CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci');
        await migrated();
        const message =
          'All tables need the engine InnoDB, so that an interrupted import can be rolled back, and the collation ' +
          `${EXACT}, which compares text by its exact bytes. These tables differ: github_repos (InnoDB, utf8mb4_general_ci). ` +
          `Change each of them with ALTER TABLE … ENGINE = InnoDB, CONVERT TO CHARACTER SET utf8mb4 COLLATE ${EXACT}.`;
        expect(await messageOf(requireSchema(database))).to.equal(message);
        await execute(
          url,
          `ALTER TABLE github_repos ENGINE = InnoDB, CONVERT TO CHARACTER SET utf8mb4 COLLATE ${EXACT}`,
        );
        await requireSchema(database);
      }),
  );

  itExceptOnTidb(
    UNCONVERTED,
    'never gives a session to another user if a table is changed while the service runs',
    () =>
      onOldDatabase(async ({ url, database, migrated }) => {
        await migrated();
        await execute(url, 'ALTER TABLE sys_accounts CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci');
        const state = new MysqlState({ url });
        try {
          const now = new Date('2026-01-02T00:00:00Z');
          const account = { provider: 'host', accountId: 'X', login: 'evil', name: '', email: '', avatarUrl: '' };
          for (const profileAt of [new Date(0), now]) {
            const error = await messageOf(createUsers(database, state).signIn({ ...account, profileAt }, now));
            expect(error).to.contain('another account than the requested one');
          }
          expect(await execute(url, 'SELECT login FROM sys_accounts')).to.deep.equal([{ login: 'x' }]);
        } finally {
          await state.close();
        }
      }),
  );

  interface OldDatabase {
    readonly url: string;
    readonly database: Database;
    migrated(): Promise<string[]>;
  }

  async function onOldDatabase(work: (old: OldDatabase) => Promise<void>): Promise<void> {
    const url = await newDatabase(server.url);
    const steps = (await readMigrations()).filter(({ version }) => version <= BEFORE);
    const statements = [VERSIONS, ...steps.flatMap((step) => step.statements)];
    const versions = steps.map(({ version, name }) => `INSERT INTO schema_versions VALUES (${version}, '${name}')`);
    const made = statements.map((statement) => withExactCollation(statement, FLAVOR).replaceAll(EXACT, PADDING));
    await execute(url, 'SET NAMES utf8mb4', ...made, ...versions, ...ROWS);
    const { store, database, close } = await openTestStore(await temporaryFolder(), url);
    try {
      await work({ url, database, migrated: () => migrate(store) });
    } finally {
      await close();
    }
  }
});

const ROWS = [
  "INSERT INTO github_users (id, login, name) VALUES (1, 'ann', 'Ann '), (2, 'bob', '\u{1f600} e\u0301'), (3, 'cy ', '')",
  "INSERT INTO github_repos (repo_id, repo_name, repo_name_lower) VALUES (1, 'A/b', 'a/b'), (2, 'c/d ', 'c/d ')",
  "INSERT INTO collections VALUES (1, 'Databases', 1), (2, 'Tools ', 1)",
  "INSERT INTO blacklist_users VALUES ('cy')",
  "INSERT INTO sys_counters VALUES ('user', 1)",
  "INSERT INTO sys_users (id, name, email_address, created_at) VALUES (1, 'x', '', '2020-01-01')",
  "INSERT INTO sys_accounts VALUES ('host', 'x', 1, 'x', '', '2020-01-01')",
];

/** Returns the sorted rows of the tables of this test. */
async function contents(url: string): Promise<string[][]> {
  const tables = ROWS.map((row) => /INSERT INTO (\w+)/.exec(row)?.[1] ?? '');
  const rows = await Promise.all(tables.map((table) => execute(url, `SELECT * FROM ${table}`)));
  return rows.map((some) => some.map((row) => JSON.stringify(row)).sort());
}

/** Returns the distinct collations of all tables and of their columns. */
async function collations(url: string): Promise<unknown[]> {
  const rows = await execute(
    url,
    `SELECT table_collation AS c FROM information_schema.tables WHERE table_schema = DATABASE() UNION
     SELECT collation_name FROM information_schema.columns WHERE table_schema = DATABASE() AND collation_name IS NOT NULL`,
  );
  return rows.map(({ c }) => c);
}
