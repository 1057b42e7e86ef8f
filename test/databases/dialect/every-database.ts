import type { BoundValue, Database } from '../../../engine/databases/interface/database.js';
import { openMysql } from '../../../engine/databases/mysql/database.js';
import { translateDdl } from '../../../engine/sql/duckdb/translate.js';
import { execute, useMysql } from '../../services/mysql.js';
import { describeEmbedded, SERVER } from '../../services/server.js';
import { closeAtEnd } from '../../services/test-run.js';
import { newDatabase } from '../../warehouse/test-warehouse.js';
import { openTestDatabase } from '../duckdb/open-test-database.js';
import { ROWS, TABLES } from './tables.js';

/** Runs a query and returns its rows. The cells of a row are joined with ` | `, and NULL is `NULL`. */
export type Ask = (sql: string, values?: readonly BoundValue[]) => Promise<readonly string[]>;

export type DatabaseName = 'DuckDB' | 'MariaDB' | 'TiDB';

/** Defines a suite for each database of the dialect tests. */
export function onEveryDatabase(suite: (ask: Ask, name: DatabaseName) => void): void {
  describeEmbedded('on DuckDB', () => {
    suite(
      createAsk(() => (duckDb ??= openDuckDb())),
      'DuckDB',
    );
  });
  describe(`on ${SERVER}`, () => {
    const server = useMysql();
    suite(
      createAsk(() => (served ??= newDatabase(server.url).then(openServer))),
      SERVER,
    );
  });
}

/** The DuckDB database for all suites of this process. The database can be shared because the suites only read, and it is never closed. */
let duckDb: Promise<Database> | undefined;

/** The database on the server for all suites of this process. */
let served: Promise<Database> | undefined;
closeAtEnd(async () => (await served)?.close());

function createAsk(open: () => Promise<Database>): Ask {
  let database: Database | undefined;
  before(async () => {
    database = await open();
  });
  return async (sql, values = []) => {
    if (database === undefined) throw new Error('The database is not open yet.');
    const { rows } = await database.query(database.prepare(sql), values, { maxRows: 100, timeoutMs: 600_000 });
    return rows.map((row) => row.map((cell) => (cell === null ? 'NULL' : String(cell))).join(' | '));
  };
}

async function openDuckDb(): Promise<Database> {
  const database = await openTestDatabase();
  await database.write(async (connection) => {
    for (const table of TABLES) for (const statement of translateDdl(table)) await connection.run(statement);
    for (const rows of ROWS) await connection.run(rows);
  });
  return database;
}

async function openServer(url: string): Promise<Database> {
  await execute(url, 'SET NAMES utf8mb4', ...TABLES, ...ROWS);
  return openMysql({ url, allowWritingAccount: true, connections: 1 });
}
