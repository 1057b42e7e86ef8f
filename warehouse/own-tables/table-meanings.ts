import type { TableMeaning, TableMeanings } from '../../engine/authoring/index.js';
import { type Database, readCatalogue } from '../../engine/index.js';
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
  const catalogue = await readCatalogue(database, signal);
  const hasOwnTables = catalogue.has('sys_own_tables');
  const reference = new Map([...(hasOwnTables ? await readOwnTables(database) : []), ...TABLE_REFERENCE]);
  const facts = await readTableFacts();
  const meanings = [...catalogue].flatMap(([name, table]) => {
    if (PRIVATE_DATA.isPrivateTable(name)) return [];
    const columns = [...table.columns]
      .filter(([column]) => !PRIVATE_DATA.columns[name]?.includes(column))
      .map(([column, { type, isNotNull }]) => [column, [type, isNotNull]] as const);
    const known = { reference: reference.get(name), key: facts(name)?.keys[0] };
    return [[name, createMeaning(name, new Map(columns), known)] as const];
  });
  return new Map(meanings);
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
