import { openMysql } from '../../../engine/databases/mysql/database.js';
import type { Database } from '../../../engine/index.js';
import { translateDdl } from '../../../engine/sql/duckdb/translate.js';
import { openTestDatabase } from '../../databases/duckdb/open-test-database.js';
import { execute, useMysql } from '../../services/mysql.js';
import { TABLE_COLUMNS } from './random-select.js';

/** The database with the rows of all tenants, and the database with the rows of one tenant. */
export interface Databases {
  readonly all: Database;
  readonly own: Database;
}

/** The result of a run. */
export interface Outcome {
  readonly queries: number;
  /** The number of different sets of constructs. */
  readonly shapes: number;
  /** The number of queries that return rows. */
  readonly answered: number;
}

/** The options of a run: the number of queries on DuckDB, which is twice that on the server, and their maximum depth on DuckDB. */
export interface Run {
  readonly count: number;
  readonly seed: number;
  readonly depth: number;
  readonly report?: ((database: string, outcome: Outcome) => void) | undefined;
}

/** Opens the databases of a suite on DuckDB. */
export function useDuckDb(): Databases {
  return useDatabases(
    () => openDuckDb(ROWS),
    () => openDuckDb(ROWS.filter(isOwn)),
  );
}

/**
 * Opens the databases of a suite on a server. The rows of the tenant are in DuckDB, because MariaDB returns wrong rows of some queries without
 * a row filter (docs/sql-dialect.md).
 */
export function useServer(): Databases {
  const all = useMysql();
  return useDatabases(
    () => openServer(all.url, ROWS),
    () => openDuckDb(ROWS.filter(isOwn)),
  );
}

function useDatabases(openAll: () => Promise<Database>, openOwn: () => Promise<Database>): Databases {
  let [all, own]: Database[] = [];
  before(async () => {
    [all, own] = [await openAll(), await openOwn()];
  });
  after(() => Promise.all([all?.close(), own?.close()]));
  return {
    get all() {
      return all as Database;
    },
    get own() {
      return own as Database;
    },
  };
}

export const TENANT = 2;

interface Row {
  readonly table: keyof typeof TABLE_COLUMNS;
  readonly tenant: number;
  readonly cells: readonly (number | null)[];
}

/** Rows of three tenants, with equal values in all of them, and with NULL. */
const ROWS: readonly Row[] = (Object.keys(TABLE_COLUMNS) as Row['table'][]).flatMap((table, place) =>
  Array.from({ length: 15 }, (_, index) => {
    const id = index + 1;
    const tenant = 1 + (index % 3);
    const others = [(id + place) % 4 === 0 ? null : (id * 3 + place) % 7, id % 5].slice(
      0,
      TABLE_COLUMNS[table].length - 2,
    );
    return { table, tenant, cells: [id, tenant, ...others] };
  }),
);

function isOwn({ tenant }: Row): boolean {
  return tenant === TENANT;
}

const TABLES = Object.entries(TABLE_COLUMNS).map(
  ([table, columns]) => `CREATE TABLE ${table} (${columns.map((column) => `${column} INT`).join(', ')})`,
);

function insertsOf(rows: readonly Row[]): string[] {
  return rows.map(
    ({ table, cells }) => `INSERT INTO ${table} VALUES (${cells.map((cell) => cell ?? 'NULL').join(', ')})`,
  );
}

async function openDuckDb(rows: readonly Row[]): Promise<Database> {
  const database = await openTestDatabase({ readers: 1, threads: 1 });
  await database.write(async (connection) => {
    for (const table of TABLES) for (const statement of translateDdl(table)) await connection.run(statement);
    for (const insert of insertsOf(rows)) await connection.run(insert);
  });
  return database;
}

async function openServer(url: string, rows: readonly Row[]): Promise<Database> {
  await execute(url, ...TABLES, ...insertsOf(rows));
  return openMysql({ url, allowWritingAccount: true, connections: 1 });
}
