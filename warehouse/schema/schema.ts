import { exactCollation } from '../../engine/databases/mysql/connection/flavor.js';
import { QUERY_FAULTS } from '../../engine/databases/query-faults.js';
import type { Cell, Database } from '../../engine/index.js';
import { type Migration, readMigrations } from './migrations.js';
import { TableFit, UnfitTableError } from './table-fit.js';

/** Thrown if the tables were created by a later version of this program. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
}

/** Thrown if the tables do not exist, or are of an earlier version of this program. */
export class OlderSchemaError extends Error {
  override readonly name = 'OlderSchemaError';
}

/**
 * Checks that the tables of a server have the version, columns, engine and collation that this program needs. Only reads. Throws
 * `NewerSchemaError`, `OlderSchemaError` or `UnfitTableError`.
 */
export async function requireSchema(database: Database): Promise<void> {
  const steps = await requireVersion(database);
  const fit = new TableFit(steps.flatMap(({ statements }) => statements));
  fit.require(await readRows(database, fit.select));
  await requireExactTables(database, fit.tables);
}

/**
 * Checks the tables of a server that the account can see: they must support transactions and compare text by its exact bytes. Only reads.
 * Throws `UnfitTableError`.
 */
export async function requireExactTables(database: Database, tables: readonly string[]): Promise<void> {
  const unfit = await findUnfitTables(database, tables);
  if (unfit.length > 0) throw unfitTableError(unfit, database.name);
}

/**
 * Checks that the tables have the version of this program and returns the migrations that created them. Only reads. Throws
 * `NewerSchemaError` or `OlderSchemaError`.
 */
export async function requireVersion(database: Database): Promise<readonly Migration[]> {
  const steps = await readMigrations();
  const applied = await readVersions(database);
  rejectNewer(applied, steps);
  const missing = steps.filter(({ version }) => !applied.includes(version));
  if (missing.length > 0) throw olderSchemaError(applied, steps);
  return steps;
}

/** Throws `NewerSchemaError` if an applied version is later than all migrations. */
export function rejectNewer(applied: readonly number[], steps: readonly Migration[]): void {
  const newest = Math.max(0, ...applied);
  if (newest <= newestOf(steps)) return;
  throw new NewerSchemaError(
    `The tables have version ${newest}, which a later version of this program created. This program only supports ` +
      `versions up to ${newestOf(steps)}. Use the later program.`,
  );
}

function olderSchemaError(applied: readonly number[], steps: readonly Migration[]): OlderSchemaError {
  const found =
    applied.length === 0
      ? 'The tables of this program do not exist'
      : `The tables have version ${Math.max(...applied)}`;
  return new OlderSchemaError(
    `${found}; this program needs version ${newestOf(steps)}. Run \`data migrate\` on this database. On a server it needs ` +
      'an account that can change tables: set DATABASE_WRITE_URL.',
  );
}

function newestOf(steps: readonly Migration[]): number {
  return Math.max(0, ...steps.map(({ version }) => version));
}

async function readVersions(database: Database): Promise<number[]> {
  try {
    const rows = await readRows(database, 'SELECT version FROM schema_versions');
    return rows.map(([version]) => Number(version));
  } catch (error) {
    const { errno, message } = error as { readonly errno?: unknown; readonly message: string };
    if (!NO_TABLE.has(Number(errno)) && message !== QUERY_FAULTS.unknownTable('schema_versions')) throw error;
    return [];
  }
}

/** The MySQL error numbers for a table that does not exist or is not visible to the account. */
const NO_TABLE = new Set([1146, 1142]);

interface UnfitTable {
  readonly table: string;
  readonly engine: string;
  readonly collation: string;
}

async function findUnfitTables(database: Database, tables: readonly string[]): Promise<UnfitTable[]> {
  const exact = exactCollation(database.name);
  const select = `
    SELECT t.table_name, t.engine, COALESCE(c.other_collation, t.table_collation) AS collation
    FROM information_schema.tables t
    LEFT JOIN (
      SELECT table_name, MIN(collation_name) AS other_collation
      FROM information_schema.columns
      WHERE table_schema = DATABASE() AND collation_name <> '${exact}'
      GROUP BY table_name
    ) c ON c.table_name = t.table_name
    WHERE t.table_schema = DATABASE() AND t.table_name IN (${tables.map((table) => `'${table}'`).join(', ')})
      AND (t.engine <> '${ENGINE}' OR t.table_collation <> '${exact}' OR c.other_collation IS NOT NULL)
    ORDER BY t.table_name`;
  const rows = await readRows(database, select);
  return rows.map(([table, engine, collation]) => ({
    table: String(table),
    engine: String(engine),
    collation: String(collation),
  }));
}

function unfitTableError(unfit: readonly UnfitTable[], flavor: string): UnfitTableError {
  const found = unfit.map(({ table, engine, collation }) => `${table} (${engine}, ${collation})`).join(', ');
  const convert = `CONVERT TO CHARACTER SET utf8mb4 COLLATE ${exactCollation(flavor)}`;
  const tidb =
    flavor === 'tidb'
      ? ' TiDB cannot convert a column that has an index: create such a table again and copy its rows.'
      : '';
  return new UnfitTableError(
    `All tables need the engine ${ENGINE}, so that an interrupted import can be rolled back, and the collation ` +
      `${exactCollation(flavor)}, which compares text by its exact bytes. These tables differ: ${found}. Change each of ` +
      `them with ALTER TABLE … ENGINE = ${ENGINE}, ${convert}.${tidb}`,
  );
}

async function readRows(database: Database, select: string): Promise<readonly (readonly Cell[])[]> {
  const { rows } = await database.query(database.prepare(select), [], { maxRows: 10_000, timeoutMs: 30_000 });
  return rows;
}

/** The required storage engine. TiDB also reports this engine for its tables. */
const ENGINE = 'InnoDB';
