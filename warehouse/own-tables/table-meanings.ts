import type { TableMeaning, TableMeanings } from '../../engine/authoring/index.js';
import type { Database } from '../../engine/index.js';
import { NEVER_CHANGES } from '../reference/repeated-texts.js';
import type { TableReference } from '../reference/table-reference-entry.js';
import { PRIVATE_DATA } from '../rules/private-data.js';
import { readTableFacts } from '../schema/table-facts.js';
import { TABLE_REFERENCE } from '../table-reference.js';
import { readOwnTables } from './stored-own-tables.js';

/**
 * Reads the tables of a database, including those of other programs. Tables of this program and own tables have descriptions. Private
 * tables and columns are omitted.
 */
export async function readTableMeanings(database: Database, signal?: AbortSignal): Promise<TableMeanings> {
  const schema = database.name === 'duckdb' ? "'main'" : 'DATABASE()';
  const sql = `
    SELECT table_name, column_name, ${database.name === 'duckdb' ? 'data_type' : 'column_type'}, is_nullable
    FROM information_schema.columns WHERE table_schema = ${schema} ORDER BY table_name, ordinal_position`;
  const { rows } = await database.query({ sql }, [], {
    maxRows: MAX_COLUMNS,
    timeoutMs: 10_000,
    ...(signal && { signal }),
  });
  const tables = new Map<string, Map<string, readonly [type: string, isNotNull: boolean]>>();
  for (const [table, column, type, isNullable] of rows) {
    const [name, columnName] = [String(table).toLowerCase(), String(column).toLowerCase()];
    if (PRIVATE_DATA.isPrivateTable(name) || PRIVATE_DATA.columns[name]?.includes(columnName)) continue;
    const columns = tables.get(name) ?? new Map();
    tables.set(name, columns.set(columnName, [String(type).toUpperCase(), isNullable === 'NO']));
  }
  const hasOwnTables = rows.some(([table]) => String(table).toLowerCase() === 'sys_own_tables');
  const reference = new Map([...(hasOwnTables ? await readOwnTables(database) : []), ...TABLE_REFERENCE]);
  const facts = await readTableFacts();
  const meaningOf = (name: string, columns: FoundColumns) =>
    createMeaning(name, columns, { reference: reference.get(name), key: facts(name)?.keys[0] });
  return new Map([...tables].map(([name, columns]) => [name, meaningOf(name, columns)]));
}

/** Returns the tables of the reference without reading a database, so it is unknown which columns can be NULL. */
export async function referenceMeanings(): Promise<TableMeanings> {
  const facts = await readTableFacts();
  const meanings = [...TABLE_REFERENCE].map(([name, reference]) => {
    const found = [...reference.columns].map(([column, { type }]) => [column, [type, false]] as const);
    return [name, createMeaning(name, new Map(found), { reference, key: facts(name)?.keys[0] })] as const;
  });
  return new Map(meanings);
}

type FoundColumns = ReadonlyMap<string, readonly [type: string, isNotNull: boolean]>;

/** The known facts about a table, except its columns in the database. */
interface Known {
  readonly reference: TableReference | undefined;
  readonly key: readonly string[] | undefined;
}

const MAX_COLUMNS = 100_000;

function createMeaning(name: string, found: FoundColumns, { reference, key }: Known): TableMeaning {
  const columns = [...found].map(([column, [type, isNotNull]]) => {
    const known = reference?.columns.get(column);
    return [column, { type: known?.type ?? type, ...describe(known?.description), isNotNull }] as const;
  });
  const dataAsOf = reference && newestEvent(reference);
  return {
    words: name.replace(/^(mv|github|own)_/, '').replaceAll('_', ' '),
    ...describe(reference?.description),
    columns: new Map(columns),
    order: name === 'github_events' ? EVENT_ORDER : (key ?? columns.map(([column]) => column)),
    ...(dataAsOf !== undefined && { dataAsOf }),
  };
}

/** Omits an empty description: a table that was loaded without a documentation file has empty descriptions. */
function describe(description = ''): { readonly description?: string } {
  return description === '' ? {} : { description };
}

/**
 * Returns the SELECT of the newest event that can be included in a table, which determines the age of its rows. Undefined if the rows never
 * change or their freshness is unknown. For tables that are not computed from events, it is the newest of all events.
 */
function newestEvent({ events = [], freshness }: TableReference): string | undefined {
  if (freshness === undefined || freshness === NEVER_CHANGES) return undefined;
  const newest = 'SELECT MAX(newest_at) FROM mv_event_coverage';
  if (events.length === 0 || events.includes('*')) return newest;
  const types = events.map((type) => `'${type}'`).join(', ');
  return `${newest} WHERE type ${events.length === 1 ? `= ${types}` : `IN (${types})`}`;
}

/** Events have no key. Rows with equal values in these columns are the same event, so this order is sufficient. */
const EVENT_ORDER: readonly string[] = ['created_at', 'id', 'type', 'repo_id', 'actor_id'];
