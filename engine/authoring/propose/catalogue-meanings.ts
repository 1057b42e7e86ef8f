import type { Catalogue, CatalogueTable } from '../../databases/catalogue.js';
import type { Database } from '../../databases/interface/database.js';
import { quoteName } from '../../sql/reading/lexemes.js';
import type { ChangeTime, TableMeaning, TableMeanings } from './table-meaning.js';

/** Returns the meanings of the tables of a database from its catalogue: its comments, keys and times of change, which can need a query. */
export async function readCatalogueMeanings(
  catalogue: Catalogue,
  database: Database,
  signal?: AbortSignal,
): Promise<TableMeanings> {
  const versions = await readVersionTable(catalogue, database, signal);
  return new Map([...catalogue].map(([name, table]) => [name, meaningOf(table, database, versions.get(name))]));
}

function meaningOf(table: CatalogueTable, database: Database, version: ChangeTime | undefined): TableMeaning {
  const { name, comment, columns, keys } = table;
  const ofRows = changeTimeOf(table, database);
  const changedAt = ofRows === undefined || ofRows.zone === 'local' ? (version ?? ofRows) : ofRows;
  return {
    words: name.toLowerCase().replaceAll('_', ' '),
    ...(comment !== '' && { description: comment }),
    columns: new Map(
      [...columns].map(([column, { name: written, type, isNotNull, comment: text }]) => {
        const known = { type, isNotNull, ...(text !== '' && { description: text }) };
        return [column, written === column ? known : { ...known, name: written }];
      }),
    ),
    // A table without a key has no unique order: equal rows are then the same in every order.
    order: keys[0] ?? [...columns.keys()],
    ...(changedAt !== undefined && { changedAt }),
  };
}

/** Names of columns that tables commonly have for the time of the last change of a row, best first. */
const CHANGE_TIMES = ['updated_at', 'modified_at', 'last_modified', 'changed_at', 'updated', 'modified'];

/** Returns the newest time in the best column of a table that states when a row changed. */
function changeTimeOf({ name, columns }: CatalogueTable, database: Database): ChangeTime | undefined {
  const found = CHANGE_TIMES.flatMap((time) => columns.get(time) ?? []);
  const column = found.find(({ type }) => /^(DATETIME|TIMESTAMP|DATE)\b/.test(type));
  if (column === undefined) return undefined;
  const withZone = database.name === 'duckdb' ? 'TIMESTAMP WITH TIME ZONE' : 'TIMESTAMP';
  return {
    value: `MAX(${quoteName(column.name)})`,
    from: quoteName(name),
    source: `${name}.${column.name}`,
    zone: column.hasLocalTime ? 'local' : column.type.startsWith(withZone) ? 'utc' : 'unknown',
  };
}

/**
 * Names of a table in which other programs write the time of the last change of each table. Its column `table_name` contains the name, and a
 * column such as `updated_at` the time.
 */
const VERSION_TABLES = ['data_versions', 'data_version', 'table_versions', 'table_version'];

/** Reads which tables have a time in the version table of the database. Returns their times by the name of the table in lower case. */
async function readVersionTable(
  catalogue: Catalogue,
  database: Database,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, ChangeTime>> {
  const table = VERSION_TABLES.flatMap((name) => catalogue.get(name) ?? []).find(({ columns }) =>
    columns.has('table_name'),
  );
  const time = table && changeTimeOf(table, database);
  const column = table?.columns.get('table_name');
  if (time === undefined || column === undefined) return new Map();
  const key = quoteName(column.name);
  const sql = `SELECT ${key}, ${time.value} FROM ${time.from} GROUP BY ${key}`;
  const limits = { maxRows: MAX_TABLES, timeoutMs: 10_000, ...(signal && { signal }) };
  const { rows } = await database.query(database.prepare(sql), [], limits);
  const known = rows.flatMap(([name, newest]) => (typeof name === 'string' && newest !== null ? [name] : []));
  return new Map(
    known.map((name) => {
      const from = `${time.from} WHERE ${key} = '${name.replaceAll("'", "''")}'`;
      return [name.toLowerCase(), { ...time, from }] as const;
    }),
  );
}

const MAX_TABLES = 10_000;
