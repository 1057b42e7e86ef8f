import { join } from 'node:path';
import { expect } from 'chai';
import { refreshAsOf } from '../../warehouse/derived/refresh-as-of.js';
import { ImportRunningError, importSources } from '../../warehouse/import/import-sources.js';
import { migrate } from '../../warehouse/migrate.js';
import { readMigrations } from '../../warehouse/schema/migrations.js';
import { requireSchema } from '../../warehouse/schema/schema.js';
import { UnfitTableError } from '../../warehouse/schema/table-fit.js';
import { MysqlStore, type MysqlStoreOptions } from '../../warehouse/store/mysql-store.js';
import { errorOf, messageOf } from '../databases/failures.js';
import { eventually } from '../services/eventually.js';
import { copyTables } from '../services/execute.js';
import { execute, useMysql } from '../services/mysql.js';
import { IS_TIDB, itExceptOnTidb } from '../services/server.js';
import { startTcpProxy } from '../services/tcp-proxy.js';
import { hourFiles } from './event-files.js';
import { startImport } from './killed-import.js';
import type { Rows } from './oracle-tables.js';
import { IMPORT_STEPS, REACHED } from './store-steps.js';
import { limits, NOW, openTestStore } from './test-store.js';
import {
  FIXTURES,
  newDatabase,
  reopened,
  serverWarehouse,
  type TestWarehouse,
  temporaryFolder,
  testWarehouse,
} from './test-warehouse.js';

describe('a store on a server', () => {
  const server = useMysql({ own: true });
  /** A database with tables and no events. Creating the tables takes longer than copying them. */
  let emptyUrl: string;
  let embedded: TestWarehouse;
  let files: string[];
  let expected: Record<string, Rows>;

  before(async () => {
    embedded = await testWarehouse();
    files = [...(await hourFiles(join(embedded.folder, 'files'), [3])), FIXTURES];
    await embedded.import(files);
    expected = await embedded.everything();
    const empty = await serverWarehouse(server.url);
    emptyUrl = empty.url ?? '';
    await empty.leave();
  });
  after(() => embedded.close());

  const onServer = async (work: (warehouse: TestWarehouse) => Promise<void>) => {
    const url = await newDatabase(server.url);
    await copyTables(new URL(emptyUrl).pathname.slice(1), url);
    const warehouse = await reopened(await temporaryFolder(), url);
    try {
      await work(warehouse);
    } finally {
      await warehouse.close();
    }
  };

  it('has exactly the same rows as the embedded one, including trends', () =>
    onServer(async (warehouse) => {
      await warehouse.import(files);
      expect(await warehouse.everything()).to.deep.equal(expected);
      await Promise.all([refreshAsOf(warehouse.store, NOW), refreshAsOf(embedded.store, NOW)]);
      const trends = 'SELECT * FROM mv_trending_repos';
      expect(await warehouse.rows(trends)).to.deep.equal(await embedded.rows(trends));
    }));

  itExceptOnTidb(
    'it never uses LOAD DATA LOCAL',
    'has the same rows if the server does not allow LOAD DATA LOCAL, and notifies once',
    () =>
      onServer(async ({ folder, url = '', everything }) => {
        await execute(server.url, 'SET GLOBAL local_infile = 0');
        const notices: string[] = [];
        const store = new MysqlStore({ ...limits(folder), url, onNotice: (notice) => notices.push(notice) });
        const folders = { stagingDirectory: join(folder, 'staging'), downloadDirectory: join(folder, 'downloads') };
        try {
          await importSources(store, files, { ...folders, now: NOW });
          expect(await everything()).to.deep.equal(expected);
          expect(notices).to.have.length(1);
          expect(notices[0]).to.contain('local_infile is OFF');
        } finally {
          await execute(server.url, 'SET GLOBAL local_infile = 1');
          await store.close();
        }
      }),
  );

  for (const files of ['1', '0']) {
    it(`keeps every text, number and NULL exactly, with local_infile = ${files}`, async () => {
      await execute(server.url, `SET GLOBAL local_infile = ${files}`);
      try {
        await onServer(async ({ store }) => {
          await store.write(async (tables) => {
            await tables.staging.run(`CREATE TEMP TABLE nasty AS ${NASTY}`);
            await tables.append('github_users', 'FROM nasty');
          });
          const { there, lost } = await store.write(async (tables) => {
            await tables.loadRows('github_users', 'id', 'SELECT id FROM nasty');
            const count = async (sql: string) => Number((await tables.staging.runAndReadAll(sql)).getRows()[0]?.[0]);
            return {
              there: await count('SELECT COUNT(*) FROM nasty'),
              lost: await count('SELECT COUNT(*) FROM (FROM nasty EXCEPT SELECT * FROM github_users)'),
            };
          });
          expect({ there, lost }).to.deep.equal({ there: TEXTS.length + 3, lost: 0 });
        });
      } finally {
        await execute(server.url, 'SET GLOBAL local_infile = 1');
      }
    });
  }

  it('sends files in packets that a server with small packets accepts', async () => {
    const [{ packet } = {}] = await execute(server.url, 'SELECT @@GLOBAL.max_allowed_packet AS packet');
    await execute(server.url, `SET GLOBAL max_allowed_packet = ${1024 * 1024}`);
    try {
      await onServer(async ({ store, rows }) => {
        const many = "SELECT range AS id, 'x' AS login, repeat('x', 255) AS name FROM range(10000)";
        await store.write((tables) => tables.append('github_users', many));
        expect(await rows('SELECT COUNT(*), SUM(LENGTH(name)) FROM github_users')).to.deep.equal([
          ['10000', '2550000'],
        ]);
      });
    } finally {
      await execute(server.url, `SET GLOBAL max_allowed_packet = ${packet}`);
    }
  });

  it('rolls back a transaction that fails, and works again', () =>
    onServer(async ({ store, rows }) => {
      const failed = store.write(async (tables) => {
        await tables.insertRows('osdb_repos', [[1, 'a/b', 'c']]);
        await tables.append('github_users', "SELECT 1 AS id, repeat('x', 41) AS login");
      });
      const error = await failed.catch((reason: unknown) => reason);
      expect((error as Error).message).to.match(
        /^The database changed the rows while it loaded them: Data truncated for column 'login'|^Data too long for column 'login'/,
      );
      expect(await rows('SELECT * FROM osdb_repos')).to.deep.equal([]);
    }));

  it('rolls back rows whose SELECT fails while they are sent, and works again', () =>
    onServer(async ({ store, rows }) => {
      const select = (last: string) =>
        `SELECT i AS id, CASE WHEN i = 49999 THEN ${last} ELSE 'another-login' END AS login FROM range(50000) numbers(i)`;
      const failed = store.write((tables) => tables.append('github_users', select("error('no more')")));
      const error = await failed.catch((reason: unknown) => reason);
      expect((error as Error).message).to.contain('no more');
      expect(await rows('SELECT COUNT(*) FROM github_users')).to.deep.equal([['0']]);
      await store.write((tables) => tables.append('github_users', select("'the last'")));
      expect(await rows('SELECT COUNT(*) FROM github_users')).to.deep.equal([['50000']]);
    }));

  it('runs one import at a time over all processes, and names the running one', () =>
    onServer(async (warehouse) => {
      const { child, ended, lines } = startImport(warehouse, files, { step: IMPORT_STEPS.batchRead });
      let rejected: unknown;
      for await (const line of lines) {
        if (line !== REACHED) continue;
        rejected = await warehouse.import(files).catch((error: unknown) => error);
        child.stdin.write('continue\n');
      }
      expect(rejected).to.be.instanceOf(ImportRunningError);
      const holder = IS_TIDB
        ? /on this database, in another process\./
        : /on this database, in the process at 127\.0\.0\.1:\d+ \(connection \d+\)\./;
      expect((rejected as Error).message).to.match(holder);
      expect(await ended).to.deep.equal([0, null]);
      const again = await warehouse.import(files);
      expect(again.files.map(({ state }) => state)).to.deep.equal(again.files.map(() => 'skipped'));
      expect(await warehouse.everything()).to.deep.equal(expected);
    }));

  it('ends an import whose connection is lost, and can run it again', () =>
    onServer(async (warehouse) => {
      let killed: Promise<unknown> | undefined;
      const first = await warehouse
        .import(files, {
          batchEvents: 1,
          concurrency: 1,
          onProgress: ({ files: done }) => {
            if (done === 1) killed ??= killImporter(server.url);
          },
        })
        .catch((error: unknown) => error);
      await killed;
      expect(first).to.be.instanceOf(Error);
      await warehouse.import(files);
      expect(await warehouse.everything()).to.deep.equal(expected);
    }));

  it('ends a transaction in which the server stalls, rolls it back, and works again after the stall', () =>
    onServer(async ({ url = '' }) => {
      const { proxy, store } = await storeThroughProxy(url, { silenceMs: 1_000 });
      const row = "SELECT 1 AS id, 'another-login' AS login";
      try {
        const stalled = store.write(async (tables) => {
          await tables.insertRows('osdb_repos', [[1, 'a/b', 'c']]);
          proxy.stall();
          await tables.append('github_users', row);
        });
        expect(await messageOf(stalled)).to.match(/^The database did not respond for 1 s/);
        proxy.resume();
        // Retries, because on a busy machine, the short time limit of this test can also end a transaction.
        const again = () =>
          store.write(async (tables) => {
            await tables.run('DELETE FROM github_users');
            await tables.append('github_users', row);
          });
        await eventually(() =>
          again().then(
            () => true,
            () => false,
          ),
        );
        const count = 'SELECT (SELECT COUNT(*) FROM osdb_repos) AS repos, (SELECT COUNT(*) FROM github_users) AS users';
        expect(await execute(url, count)).to.deep.equal([{ repos: 0, users: 1 }]);
      } finally {
        await store.close();
        await proxy.close();
      }
    }));

  it('closes within its time limit while the server stalls', async () => {
    const { proxy, store } = await storeThroughProxy(server.url, { closeGraceMs: 100 });
    try {
      await store.write((tables) => tables.rows('SELECT 1'));
      proxy.stall();
      const waiting = store.write((tables) => tables.rows('SELECT 2')).catch((error: Error) => error.message);
      await store.close();
      expect(await waiting).to.equal('The connection to the database was lost.');
    } finally {
      await proxy.close();
    }
  });

  it('is migrated once by several processes at the same time, after another one was killed during the migration', async () => {
    const url = await newDatabase(server.url);
    const [first, second] = await readMigrations();
    const half = [...(first?.statements ?? []), ...(second?.statements.slice(0, 3) ?? [])];
    await execute(url, ...half.map((statement) => statement.replaceAll('utf8mb4_0900_bin', 'utf8mb4_bin')));
    const opened = await Promise.all(
      Array.from({ length: 3 }, async () => openTestStore(await temporaryFolder(), url)),
    );
    try {
      const steps = await Promise.all(opened.map(({ store }) => migrate(store)));
      expect(steps.flat().sort()).to.deep.equal((await readMigrations()).map(({ name }) => name));
      for (const { database } of opened) await requireSchema(database);
    } finally {
      await Promise.all(opened.map(({ close }) => close()));
    }
  });

  it('is not migrated if another program created a table of the same name, and names the difference', async () => {
    const url = await newDatabase(server.url);
    const theirs = 'CREATE TABLE collections (id INT NOT NULL, name VARCHAR(99), label TEXT)';
    await execute(url, theirs);
    const { store, database, close } = await openTestStore(await temporaryFolder(), url);
    try {
      const message =
        `Existing tables do not have the columns of this program: collections.id is int${IS_TIDB ? '' : '(11)'}, expected BIGINT; ` +
        'collections.public is missing. Rename them, or use another database.';
      const error = await errorOf(migrate(store));
      expect([error.name, error.message]).to.deep.equal(['UnfitTableError', message]);
      expect(await execute(url, 'SELECT * FROM schema_versions')).to.deep.equal([]);
      await execute(url, 'RENAME TABLE collections TO theirs');
      await migrate(store);
      await requireSchema(database);
      await execute(url, 'DROP TABLE collections', 'RENAME TABLE theirs TO collections');
      expect(await messageOf(requireSchema(database))).to.equal(message);
    } finally {
      await close();
    }
  });

  it('accepts columns with longer texts, additional columns and another order, and does not change their types', async () => {
    const url = await newDatabase(server.url);
    const [first] = await readMigrations();
    const events = first?.statements.find((statement) => statement.includes('CREATE TABLE github_events')) ?? '';
    const exact = IS_TIDB ? 'utf8mb4_0900_bin' : 'utf8mb4_nopad_bin';
    const columns = 'label TEXT, public TINYINT(1), name VARCHAR(255) NOT NULL, id BIGINT(20) NOT NULL PRIMARY KEY';
    await execute(
      url,
      events.replace(/repo_name VARCHAR\(140\)/, 'repo_name VARCHAR(255)').replaceAll('utf8mb4_0900_bin', exact),
      `INSERT INTO github_events (type, created_at, event_day, event_month, event_year, repo_name)
       VALUES ('WatchEvent', '2020-01-01', '2020-01-01', '2020-01-01', 2020, REPEAT('x', 200))`,
      `CREATE TABLE collections (${columns})`,
    );
    const { store, database, close } = await openTestStore(await temporaryFolder(), url);
    try {
      await migrate(store);
      await requireSchema(database);
      const [{ type, nullable } = {}] = await execute(
        url,
        `SELECT column_type AS type, is_nullable AS nullable FROM information_schema.columns
         WHERE table_schema = DATABASE() AND table_name = 'github_events' AND column_name = 'repo_name'`,
      );
      expect([type, nullable]).to.deep.equal(['varchar(255)', 'YES']);
      await store.write((tables) => tables.insertRows('collections', [[7, 'Databases', 1]]));
      const row = { label: null, public: 1, name: 'Databases', id: 7 };
      expect(await execute(url, 'SELECT * FROM collections')).to.deep.equal([row]);
    } finally {
      await close();
    }
  });

  it('rejects a reader whose program is older or newer than the tables', () =>
    onServer(async ({ store, database }) => {
      const rejection = async () => (await requireSchema(database).catch((error: Error) => error.message)) ?? 'none';
      const newest = (await readMigrations()).length;
      expect(await rejection()).to.equal('none');
      await store.write((tables) => tables.insertRows('schema_versions', [[newest + 1, 'next']]));
      expect(await rejection()).to.equal(
        `The tables have version ${newest + 1}, which a later version of this program created. This program only supports versions up to ${newest}. Use the later program.`,
      );
      await store.write((tables) => tables.run(`DELETE FROM schema_versions WHERE version >= ${newest}`));
      expect(await rejection()).to.contain(`The tables have version ${newest - 1}`);
      await store.write((tables) => tables.run('DELETE FROM schema_versions'));
      expect(await rejection()).to.contain('The tables of this program do not exist');
    }));

  itExceptOnTidb(
    'it has one engine, and no MODIFY of an indexed text',
    'is rejected if a table has no transactions or another collation, and names the table',
    () =>
      onServer(async ({ url = '', database }) => {
        await execute(url, 'CREATE TABLE of_others (i INT) ENGINE=MyISAM');
        await requireSchema(database);
        await execute(
          url,
          'ALTER TABLE github_repos ENGINE=MyISAM',
          'ALTER TABLE collections MODIFY name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL',
          'ALTER TABLE github_users CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci',
        );
        const error = await requireSchema(database).catch((reason: unknown) => reason);
        expect(error).to.be.instanceOf(UnfitTableError);
        expect((error as Error).message).to.contain(
          'These tables differ: collections (InnoDB, utf8mb4_general_ci), github_repos (MyISAM, utf8mb4_nopad_bin), github_users (InnoDB, utf8mb4_general_ci). ' +
            'Change each of them with ALTER TABLE … ENGINE = InnoDB, CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin.',
        );
      }),
  );
});

async function storeThroughProxy(url: string, options: Partial<MysqlStoreOptions>) {
  const proxy = await startTcpProxy(Number(new URL(url).port));
  const through = new URL(url);
  through.port = String(proxy.port);
  return { proxy, store: new MysqlStore({ ...limits(await temporaryFolder()), url: through.href, ...options }) };
}

/** Kills the connection that holds the lock of the import. */
async function killImporter(url: string): Promise<unknown> {
  const processes = await execute(
    url,
    "SELECT id FROM information_schema.processlist WHERE db LIKE 'test_%' AND id <> CONNECTION_ID() ORDER BY id DESC",
  );
  return Promise.all(processes.map(({ id }) => execute(url, `KILL ${id}`).catch(() => undefined)));
}

const TEXTS = [
  '',
  'NULL',
  '\\N',
  '\\',
  '\\\\',
  '"',
  '""',
  '","',
  "'",
  "''",
  "\\'",
  'tab\tbetween',
  'line\nbreak',
  'line\r\nbreak',
  '\n',
  '\r',
  ' leading and trailing ',
  'a,b',
  '😀 𝒳 𠜎',
  'é e\u0301',
  'nul\0byte',
  '\u001a',
  '%_',
  '‮reversed',
];

const escaped = (text: string) => `'${text.replaceAll("'", "''").replaceAll('\0', "' || chr(0) || '")}'`;

/** Rows of github_users that contain each unusual text, and numbers and times at the limits of their columns. */
const NASTY = `
  SELECT * FROM (
    ${TEXTS.map((text, index) => row({ id: index, name: escaped(text), created: 'NULL' })).join(' UNION ALL ')}
    UNION ALL ${row({ id: '-9223372036854775808', name: "'least'", created: "'0001-01-01 00:00:00'" })}
    UNION ALL ${row({ id: '9223372036854775807', name: "'greatest'", created: "'9999-12-31 23:59:59'" })}
    UNION ALL ${row({ id: '-4503599627370497', name: 'repeat(chr(128512), 255)', created: "'2016-02-29 12:30:00'" })}
  )`;

function row({ id, name, created }: { readonly id: number | string; readonly name: string; readonly created: string }) {
  return `
    SELECT
      '${id}'::BIGINT AS id, 'x' AS login, 'User' AS type, 1::TINYINT AS is_bot, ${name} AS name, '' AS email,
      ${name} AS organization, '' AS organization_formatted, ${name} AS address, 'N/A' AS country_code,
      'N/A' AS region_code, '' AS state, '' AS city, -123.45678901::DECIMAL(11, 8) AS longitude,
      0.00000001::DECIMAL(10, 8) AS latitude, -2147483648 AS public_repos, 2147483647 AS followers, 0 AS followings,
      ${created}::TIMESTAMP AS created_at, NULL::TIMESTAMP AS updated_at, 0::TINYINT AS is_deleted,
      '1970-01-01'::TIMESTAMP AS refreshed_at`;
}
