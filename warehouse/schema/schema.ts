import { exactCollation } from '../../databases/mysql/connection/flavor.js';
import type { Cell, Database } from '../../engine/index.js';
import { type Migration, readMigrations } from './migrations.js';
import { TableFit, UnfitTableError } from './table-fit.js';

/** The tables were made by a later version of this program. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
}

/** There are no tables of this program, or some of an earlier version. */
export class OlderSchemaError extends Error {
  override readonly name = 'OlderSchemaError';
}

/**
 * Makes sure, by reading alone, that the tables of a server are of this program's version, and as it made them. Throws
 * `NewerSchemaError`, `OlderSchemaError` or `UnfitTableError`.
 */
export async function requireSchema(database: Database): Promise<void> {
  const steps = await requireVersion(database);
  const fit = new TableFit(steps.flatMap(({ statements }) => statements));
  fit.require(await rowsOf(database, fit.select));
  await requireExactTables(database, fit.tables);
}

/**
 * Makes sure, by reading alone, that those of the tables of a server that the account sees have transactions and compare text by its
 * exact bytes. Throws `UnfitTableError`.
 */
export async function requireExactTables(database: Database, tables: readonly string[]): Promise<void> {
  const unfit = await unfitTables(database, tables);
  if (unfit.length > 0) throw unfitTable(unfit, database.name);
}

/**
 * Makes sure, by reading alone, that the tables are of this program's version; gives the steps that made them. Throws
 * `NewerSchemaError` or `OlderSchemaError`.
 */
export async function requireVersion(database: Database): Promise<readonly Migration[]> {
  const steps = await readMigrations();
  const done = await versionsOf(database);
  refuseNewer(done, steps);
  const missing = steps.filter(({ version }) => !done.includes(version));
  if (missing.length > 0) throw olderSchema(done, steps);
  return steps;
}

export function refuseNewer(done: readonly number[], steps: readonly Migration[]): void {
  const newest = Math.max(0, ...done);
  if (newest <= newestOf(steps)) return;
  throw new NewerSchemaError(
    `The tables are of version ${newest}, made by a later version of this program; this one knows versions up to ` +
      `${newestOf(steps)}. Use the later program.`,
  );
}

function olderSchema(done: readonly number[], steps: readonly Migration[]): OlderSchemaError {
  const found =
    done.length === 0 ? 'There are no tables of this program' : `The tables are of version ${Math.max(...done)}`;
  return new OlderSchemaError(
    `${found}; this program needs version ${newestOf(steps)}. Run \`data migrate\` on this database; on a server it takes ` +
      'an account that may change tables, that of DATABASE_WRITE_URL.',
  );
}

function newestOf(steps: readonly Migration[]): number {
  return Math.max(0, ...steps.map(({ version }) => version));
}

async function versionsOf(database: Database): Promise<number[]> {
  try {
    const rows = await rowsOf(database, 'SELECT version FROM schema_versions');
    return rows.map(([version]) => Number(version));
  } catch (error) {
    const { errno, message } = error as { readonly errno?: unknown; readonly message: string };
    if (!NO_TABLE.has(Number(errno)) && !DUCKDB_NO_TABLE.test(message)) throw error;
    return [];
  }
}

/** MySQL's numbers for a table that is not there, or of which the account may not know. */
const NO_TABLE = new Set([1146, 1142]);
const DUCKDB_NO_TABLE = /^Catalog Error: Table with name schema_versions does not exist/;

interface UnfitTable {
  readonly table: string;
  readonly engine: string;
  readonly collation: string;
}

async function unfitTables(database: Database, tables: readonly string[]): Promise<UnfitTable[]> {
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
  const rows = await rowsOf(database, select);
  return rows.map(([table, engine, collation]) => ({
    table: String(table),
    engine: String(engine),
    collation: String(collation),
  }));
}

function unfitTable(unfit: readonly UnfitTable[], flavor: string): UnfitTableError {
  const found = unfit.map(({ table, engine, collation }) => `${table} (${engine}, ${collation})`).join(', ');
  const convert = `CONVERT TO CHARACTER SET utf8mb4 COLLATE ${exactCollation(flavor)}`;
  const tidb =
    flavor === 'tidb'
      ? ' TiDB does not convert a column that has an index: make such a table again and copy its rows.'
      : '';
  return new UnfitTableError(
    `Tables need the engine ${ENGINE}, so that a stopped import leaves no half of its rows, and the collation ` +
      `${exactCollation(flavor)}, which compares text by its exact bytes. Other tables are ${found}. Change each of them: ` +
      `ALTER TABLE … ENGINE = ${ENGINE}, ${convert}.${tidb}`,
  );
}

async function rowsOf(database: Database, select: string): Promise<readonly (readonly Cell[])[]> {
  const { rows } = await database.query(database.prepare(select), [], { maxRows: 10_000, timeoutMs: 30_000 });
  return rows;
}

/** TiDB says the same of its tables. */
const ENGINE = 'InnoDB';
