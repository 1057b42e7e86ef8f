import type { DuckDBConnection } from '@duckdb/node-api';
import type { CellKind, FixtureColumn, FixtureDatabase, FixtureTable } from '../engine/authoring/index.js';
import { IN_MEMORY } from '../engine/databases/duckdb/connection/options.js';
import { readRows } from '../engine/databases/duckdb/connection/read-rows.js';
import { type EmbeddedDatabase, openEmbedded } from '../engine/databases/duckdb/embedded.js';
import { quoteName } from '../engine/sql/duckdb/tree/quote.js';
import { migrate } from './migrate.js';
import { EmbeddedStore } from './store/embedded-store.js';

/** Opens an empty database in memory with all tables of this program. Does not use the configured database and creates no files. */
export async function openFixtureDatabase(): Promise<FixtureDatabase> {
  const database = await openEmbedded({ file: IN_MEMORY, memoryLimit: '512MB', threads: 1, readers: 4 });
  try {
    migrated ??= await readMigrated(database);
    const tables = migrated;
    const filled = new FixtureTables(database, tables);
    // The migrations insert rows into some tables.
    await filled.empty([...tables.keys()]);
    return filled;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * The columns of the tables of this program, as a cache: they never differ, and running the migrations takes most of the time to open a
 * database.
 */
let migrated: ReadonlyMap<string, readonly StoredColumn[]> | undefined;

async function readMigrated(database: EmbeddedDatabase): Promise<ReadonlyMap<string, readonly StoredColumn[]>> {
  await migrate(new EmbeddedStore(database));
  return database.write(readTables);
}

interface StoredColumn extends FixtureColumn {
  readonly type: string;
  /** The SQL expression of the default value; null if the column has no default. */
  readonly standard: string | null;
}

class FixtureTables implements FixtureDatabase {
  readonly database: EmbeddedDatabase;
  readonly tables: ReadonlyMap<string, readonly StoredColumn[]>;
  #filled: readonly string[] = [];

  constructor(database: EmbeddedDatabase, tables: ReadonlyMap<string, readonly StoredColumn[]>) {
    this.database = database;
    this.tables = tables;
  }

  async fill(tables: readonly FixtureTable[]): Promise<void> {
    const names = tables.map(({ name }) => name);
    await this.empty(this.#filled.filter((name) => !names.includes(name)));
    this.#filled = names;
    await this.database.write(async (connection) => {
      for (const { name, columns, rows } of tables) {
        await this.#create(connection, name, columns);
        await appendRows(connection, name, rows);
      }
    });
  }

  /** Removes all rows of this program's tables, and removes all other tables. */
  async empty(names: readonly string[]): Promise<void> {
    await this.database.write(async (connection) => {
      for (const name of names) {
        const columns = this.tables.get(name);
        if (columns === undefined) await connection.run(`DROP TABLE IF EXISTS ${quoteName(name)}`);
        else await this.#create(connection, name, columns);
      }
    });
  }

  close(): Promise<void> {
    return this.database.close();
  }

  /** Creates an empty table without keys. All columns accept NULL, because the row of a fixture can omit columns. */
  async #create(connection: DuckDBConnection, name: string, columns: readonly FixtureColumn[]): Promise<void> {
    const stored = this.tables.get(name);
    const defined = columns.map((column, index) => {
      const { type, standard } = stored?.[index] ?? { type: TYPES[column.kind], standard: null };
      return `${quoteName(column.name)} ${type}${standard === null ? '' : ` DEFAULT ${standard}`}`;
    });
    await connection.run(`CREATE OR REPLACE TABLE ${quoteName(name)} (${defined.join(', ')})`);
  }
}

async function appendRows(connection: DuckDBConnection, table: string, rows: FixtureTable['rows']): Promise<void> {
  const appender = await connection.createAppender(table);
  try {
    for (const row of rows) {
      for (const value of row) {
        if (value === undefined) appender.appendDefault();
        else if (value === null) appender.appendNull();
        else appender.appendVarchar(String(value));
      }
      appender.endRow();
    }
    appender.flushSync();
  } finally {
    appender.closeSync();
  }
}

/** Reads the columns of all tables from the catalogue of DuckDB. */
async function readTables(connection: DuckDBConnection): Promise<ReadonlyMap<string, readonly StoredColumn[]>> {
  const rows = await readRows(
    connection,
    `SELECT table_name, column_name, data_type, is_nullable, column_default, numeric_precision, numeric_scale
     FROM duckdb_columns()
     WHERE database_name = current_database() AND schema_name = 'main' AND NOT internal
     ORDER BY table_name, column_index`,
  );
  const tables = new Map<string, StoredColumn[]>();
  for (const [table, column, type, nullable, standard, precision, scale] of rows) {
    const columns = tables.get(String(table).toLowerCase()) ?? [];
    columns.push({
      ...describeType(String(type), Number(precision), Number(scale)),
      name: String(column),
      type: String(type),
      nullable: Boolean(nullable),
      standard: standard === null || standard === undefined ? null : String(standard),
    });
    tables.set(String(table).toLowerCase(), columns);
  }
  return tables;
}

function describeType(
  type: string,
  precision: number,
  scale: number,
): Pick<FixtureColumn, 'kind' | 'range' | 'digits'> {
  const bits = INTEGER_BITS[type.replace(/^U/, '')];
  if (bits !== undefined) {
    const range = type.startsWith('U') ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
    return { kind: 'integer', range: range as [bigint, bigint] };
  }
  if (type.startsWith('DECIMAL')) return { kind: 'decimal', digits: [precision - scale, scale] };
  return { kind: KINDS[type] ?? 'text' };
}

const INTEGER_BITS: Readonly<Record<string, bigint>> = { TINYINT: 8n, SMALLINT: 16n, INTEGER: 32n, BIGINT: 64n };

const KINDS: Readonly<Record<string, CellKind>> = {
  FLOAT: 'float',
  DOUBLE: 'float',
  DATE: 'date',
  TIMESTAMP: 'datetime',
  TIME: 'time',
};

/** The column types of the tables that are not of this program. */
const TYPES: Readonly<Record<CellKind, string>> = {
  integer: 'BIGINT',
  decimal: 'DECIMAL(38, 10)',
  float: 'DOUBLE',
  text: 'VARCHAR',
  date: 'DATE',
  datetime: 'TIMESTAMP',
  time: 'TIME',
};
