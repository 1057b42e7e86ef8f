import {
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBPreparedStatement,
  type DuckDBValue,
} from '@duckdb/node-api';
import {
  type BoundValue,
  type Cell,
  type Database,
  EngineError,
  type PreparedQuery,
  type QueryOptions,
  type ResultSet,
} from '../../engine/index.js';
import { UntranslatableSqlError } from '../../engine/sql/reading/untranslatable-sql-error.js';

/** An in-memory database for tests of the engine. It runs the SQL without translation, and only replaces markers: `:p1` becomes `$1`. */
export interface ToyDatabase extends Database {
  /** The SQL of all previous queries. */
  readonly executed: readonly string[];
  /** Runs statements in one transaction. */
  execute(statements: string): Promise<void>;
}

const TABLES = `
  CREATE TABLE cellars (name VARCHAR);
  CREATE TABLE ovens (id INTEGER, name VARCHAR);
  INSERT INTO ovens VALUES (1, 'stone'), (2, 'steel');
  CREATE TABLE loaves (id BIGINT, oven_id INTEGER, kind VARCHAR, weight DECIMAL(8, 3), score DOUBLE, baked_at TIMESTAMP, day DATE);
  INSERT INTO loaves VALUES
    (1, 1, 'rye', 1.205, 0.125, '2024-05-01 06:00:00.25', '2024-05-01'),
    (2, 1, 'wheat', 0.8, NULL, '2024-05-01 07:30:00', '2024-05-01'),
    (3, 2, 'rye', 1.1, 2.5, '2024-05-02 05:00:00', '2024-05-02'),
    (9007199254740993, 2, 'O''Brien', 99999.999, -0.001, NULL, '2024-05-03');
`;

export async function openToyDatabase(changes = ''): Promise<ToyDatabase> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(TABLES + changes);
  const executed: string[] = [];
  const running = new Set<Promise<unknown>>();
  const follow = (query: Promise<ResultSet>) => {
    running.add(query);
    const remove = () => running.delete(query);
    query.then(remove, remove);
    return query;
  };
  return {
    name: 'toy',
    concurrency: 1,
    executed,
    prepare(sql) {
      if (sql.includes('SOUNDEX')) throw new UntranslatableSqlError('SOUNDEX is not available');
      return { sql: sql.replaceAll(/:p(\d+)/g, '$$$1') };
    },
    execute: async (statements) => {
      const writer = await instance.connect();
      await writer.run(`BEGIN; ${statements} END;`);
      writer.closeSync();
    },
    describe: async ({ sql }) => {
      const statement = await connection.prepare(sql);
      return Array.from({ length: statement.columnCount }, (_, index) => ({
        name: statement.columnName(index),
        type: String(statement.columnType(index)),
      }));
    },
    query: (query, values, options) => {
      executed.push(query.sql);
      return follow(runQuery(connection, query, values, options));
    },
    explain: (query, values, options) => follow(runQuery(connection, { sql: `EXPLAIN ${query.sql}` }, values, options)),
    ping: async () => {
      await connection.run('SELECT 1');
    },
    close: async () => {
      // DuckDB ends the process if a query runs while it closes.
      await Promise.allSettled(running);
      connection.closeSync();
      instance.closeSync();
    },
  };
}

async function runQuery(
  connection: DuckDBConnection,
  { sql }: PreparedQuery,
  values: readonly BoundValue[],
  { maxRows, ...limits }: QueryOptions,
): Promise<ResultSet> {
  const { signal } = 'deadline' in limits ? limits.deadline : limits;
  if (signal?.aborted) throw new EngineError('query_cancelled', 'the client disconnected');
  const statement = await connection.prepare(sql);
  for (const [index, value] of values.entries()) bind(statement, index + 1, value);
  const reader = await statement.runAndReadAll();
  const names = reader.columnNames();
  const types = reader.columnTypes();
  const rows = reader.getRows().map((row) => row.map(cellOf));
  return {
    columns: names.map((name, index) => ({ name, type: String(types[index]) })),
    rows: rows.slice(0, maxRows),
    more: rows.length > maxRows,
  };
}

function bind(statement: DuckDBPreparedStatement, place: number, value: BoundValue): void {
  if (value === null) statement.bindNull(place);
  else if (typeof value === 'string') statement.bindVarchar(place, value);
  else if (typeof value === 'boolean') statement.bindBoolean(place, value);
  else if (typeof value === 'bigint') statement.bindBigInt(place, value);
  else if (Number.isInteger(value)) statement.bindBigInt(place, BigInt(value));
  else statement.bindDouble(place, value);
}

function cellOf(value: DuckDBValue): Cell {
  if (value === null || typeof value === 'number' || typeof value === 'string') return value;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  return typeof value === 'boolean' ? Number(value) : String(value);
}
