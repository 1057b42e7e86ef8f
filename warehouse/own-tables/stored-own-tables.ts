import type { Cell, Database } from '../../engine/index.js';
import type { TableReference } from '../reference/table-reference-entry.js';
import type { Tables } from '../store/store.js';
import { readVersions } from '../versions/version-table.js';
import { readColumnType } from './column-type.js';
import type { TableDocument } from './table-document.js';

/** A loaded own table. */
export interface OwnTable {
  readonly name: string;
  readonly document: TableDocument;
  readonly rows: number;
  /** `YYYY-MM-DD hh:mm:ss` in UTC. */
  readonly loadedAt: string;
  /** The name of the loaded file. */
  readonly source: string;
  /** The version of the table. Undefined if a load was interrupted while it exchanged the tables on a server. */
  readonly version: string | undefined;
}

export type StoredTable = Omit<OwnTable, 'version'>;

/** Reads all own tables, ordered by name. */
export async function listOwnTables(database: Database): Promise<readonly OwnTable[]> {
  const query = database.prepare(SELECT);
  const { rows } = await database.query(query, [], { maxRows: MAX_TABLES, timeoutMs: READ_MS });
  const versions = await readVersions(database, READ_MS);
  return rows.map(toTable).map((table) => ({ ...table, version: versions.get(table.name) }));
}

/**
 * Reads the table reference of all own tables, by name. Definitions may read these tables. Untrusted SQL must not, because they are not
 * public.
 */
export async function readOwnTables(database: Database): Promise<ReadonlyMap<string, TableReference>> {
  const tables = await listOwnTables(database);
  return new Map(tables.map(({ name, document }) => [name, toReference(document)]));
}

/** Reads the stored facts about one own table; undefined if it does not exist. */
export async function readStored(tables: Tables, name: string): Promise<StoredTable | undefined> {
  return (await tables.rows(SELECT)).map(toTable).find((table) => table.name === name);
}

export async function writeStored(tables: Tables, table: StoredTable): Promise<void> {
  await removeStored(tables, table.name);
  const { name, document, rows, loadedAt, source } = table;
  await tables.insertRows('sys_own_tables', [[name, JSON.stringify(document), rows, loadedAt, source]]);
}

export async function removeStored(tables: Tables, name: string): Promise<void> {
  await tables.run('DELETE FROM sys_own_tables WHERE table_name = :p1', [name]);
}

const SELECT = 'SELECT table_name, document, row_count, loaded_at, source FROM sys_own_tables ORDER BY table_name';
const MAX_TABLES = 10_000;
const READ_MS = 5_000;

function toTable([name, document, rows, loadedAt, source]: readonly Cell[]): StoredTable {
  return {
    name: String(name),
    document: JSON.parse(String(document)) as TableDocument,
    rows: Number(rows),
    loadedAt: String(loadedAt),
    source: String(source),
  };
}

function toReference({ description, columns }: TableDocument): TableReference {
  const entries = Object.entries(columns).map(([name, { type, description, unit }]) => {
    const sql = readColumnType(type)?.sql ?? type;
    return [name, { type: sql, description, ...(unit !== undefined && { unit }) }] as const;
  });
  return { description, columns: new Map(entries) };
}
