import { randomBytes } from 'node:crypto';
import { type Cell, type Database, type DataVersion, EngineError } from '../../engine/index.js';

/** The new version of the tables that a transaction has written. */
export interface VersionChange {
  readonly tables: ReadonlySet<string>;
  readonly version: DataVersion;
}

/** The connection of a transaction. */
interface VersionConnection {
  rows(sql: string): Promise<readonly (readonly Cell[])[]>;
  run(sql: string): Promise<unknown>;
}

/** The parts of the SQL that differ between databases. */
interface VersionSql {
  /** Selects the number of tables with the name `data_versions`. */
  readonly exists: string;
  readonly newest: string;
  readonly onConflict: string;
}

const NEWEST = 'SELECT COALESCE(MAX(commit_number), 0) FROM data_versions';

export const DUCKDB_VERSIONS: VersionSql = {
  exists: "SELECT COUNT(*) FROM duckdb_tables() WHERE table_name = 'data_versions' AND NOT temporary",
  newest: NEWEST,
  onConflict: 'ON CONFLICT (table_name) DO UPDATE SET commit_number = excluded.commit_number, token = excluded.token',
};

export const SERVER_VERSIONS: VersionSql = {
  exists:
    "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'data_versions'",
  // `FOR UPDATE` reads the last committed number, even if the snapshot of this transaction is older.
  newest: `${NEWEST} FOR UPDATE`,
  onConflict: 'ON DUPLICATE KEY UPDATE commit_number = VALUES(commit_number), token = VALUES(token)',
};

/**
 * Writes new versions of tables in the caller's transaction. The change of the versions must be the last change in the transaction. Returns
 * undefined if no table was written, or during early migrations, before the table of versions exists.
 */
export async function changeVersions(
  { exists, newest, onConflict }: VersionSql,
  connection: VersionConnection,
  tables: ReadonlySet<string>,
): Promise<VersionChange | undefined> {
  if (tables.size === 0) return undefined;
  if (Number((await connection.rows(exists))[0]?.[0]) === 0) return undefined;
  const [[last = 0] = []] = await connection.rows(newest);
  const number = BigInt(last ?? 0) + 1n;
  const token = randomBytes(8).readBigUInt64BE().toString(36);
  const values = [...tables].sort().map((table) => `('${table}', ${number}, '${token}')`);
  await connection.run(
    `INSERT INTO data_versions (table_name, commit_number, token) VALUES ${values.join(', ')} ${onConflict}`,
  );
  return { tables, version: versionOf(number, token) };
}

/** Reads the versions of all tables, by name. Rejects with `database_unavailable`; the cause is the error of the database. */
export async function readVersions(database: Database, timeoutMs: number): Promise<ReadonlyMap<string, DataVersion>> {
  const query = database.prepare('SELECT table_name, commit_number, token FROM data_versions');
  const { rows, more } = await database
    .query(query, [], { maxRows: MAX_TABLES, timeoutMs })
    .catch((cause: unknown) => Promise.reject(unreadable(cause)));
  if (more) throw unreadable(new Error(`The table data_versions has more than ${MAX_TABLES} rows.`));
  return new Map(rows.map(([table, number, token]) => [String(table), versionOf(number, token)]));
}

const MAX_TABLES = 10_000;

function unreadable(cause: unknown): EngineError {
  if (cause instanceof EngineError && cause.code === 'database_unavailable') return cause;
  return new EngineError('database_unavailable', 'The versions of the tables could not be read.', { cause });
}

function versionOf(number: unknown, token: unknown): DataVersion {
  return `${number}.${token}`;
}
