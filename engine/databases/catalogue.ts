import { enumValuesOf, type TableFacts, valueTypeOf } from '../sql/analysis/table-facts.js';
import { didYouMean } from '../sql/did-you-mean.js';
import type { Cell, Database } from './interface/database.js';
import { ROLLUP_DATABASE } from './interface/rollups.js';

/** A table or view of a database, as the database describes it. */
export interface CatalogueTable {
  /** The name as in the database. */
  readonly name: string;
  /** The comment of the table; empty if it has none. */
  readonly comment: string;
  /** The estimated number of rows; undefined for a view, and if the database does not know it. */
  readonly rows: number | undefined;
  /** The columns by name in lower case, in their order. */
  readonly columns: ReadonlyMap<string, CatalogueColumn>;
  /** The columns of each unique index without NULL, in lower case. The primary key is the first one. */
  readonly keys: readonly (readonly string[])[];
  /** Whether another table, or two of its columns, have the same name in other upper and lower case. */
  readonly isAmbiguous: boolean;
}

export interface CatalogueColumn {
  /** The name as in the database. */
  readonly name: string;
  /** The type in capital letters, such as `VARCHAR(255)` or `BIGINT UNSIGNED`. */
  readonly type: string;
  readonly isNotNull: boolean;
  readonly comment: string;
  /** Whether the server writes its local time into this column, because the column has no time zone and that of the server is not UTC. */
  readonly hasLocalTime: boolean;
}

/** The tables of a database by name in lower case. Tables whose names differ only in case have their exact names as keys. */
export type Catalogue = ReadonlyMap<string, CatalogueTable>;

/** Reads the catalogue of a database in at most ten seconds per query. The account sees only the tables that it may read. */
export async function readCatalogue(database: Database, signal?: AbortSignal): Promise<Catalogue> {
  const { tables, columns, keys } = database.name === 'duckdb' ? DUCKDB : MYSQL;
  const read = async (sql: string) =>
    (await database.query({ sql }, [], { ...LIMITS, ...(signal && { signal }) })).rows;
  const [tableRows, columnRows, keyRows] = [await read(tables), await read(columns), await read(keys)];
  const columnsOf = groupByTable(columnRows);
  const keysOf = groupByTable(keyRows);
  const twins = new Map<string, number>();
  for (const [table] of tableRows) {
    const key = String(table).toLowerCase();
    twins.set(key, (twins.get(key) ?? 0) + 1);
  }
  const catalogue = new Map<string, CatalogueTable>();
  for (const [table, comment, rows] of tableRows) {
    const [name, key] = [String(table), String(table).toLowerCase()];
    const columnRowsOfTable = columnsOf.get(name) ?? [];
    const columns = new Map(columnRowsOfTable.map(toColumn));
    const isAlone = twins.get(key) === 1;
    catalogue.set(isAlone ? key : name, {
      name,
      comment: textOf(comment),
      rows: rows === null || rows === undefined ? undefined : Number(rows),
      columns,
      keys: uniqueKeys(keysOf.get(name) ?? [], columns),
      isAmbiguous: !isAlone || columns.size !== columnRowsOfTable.length,
    });
  }
  return catalogue;
}

/**
 * Throws an Error with the reasons why row filters would not restrict all rows: the database does not have the table, or a view without its
 * own row filter reads the table. Views that are created later are not checked. `findLaterTables` returns the tables in lower case that the
 * program creates.
 */
export async function requireEffectiveFilters(
  database: Database,
  rowFilters: ReadonlyMap<string, string> | undefined,
  findLaterTables: () => Promise<ReadonlySet<string>> = async () => new Set(),
): Promise<void> {
  if (rowFilters === undefined || rowFilters.size === 0) return;
  const tables = [...rowFilters.keys()].map((table) => table.toLowerCase());
  const known = [...(await readCatalogue(database)).values()].map(({ name }) => name.toLowerCase());
  const missing = tables.filter((table) => !known.includes(table));
  const later = missing.length === 0 ? new Set() : await findLaterTables();
  const unknown = missing
    .filter((table) => !later.has(table))
    .map((table) => [table, `there is no table ${table} that can be read${didYouMean(table, known)}`]);
  const { rows: views } = await database.query(
    { sql: database.name === 'duckdb' ? DUCKDB_VIEWS : MYSQL_VIEWS },
    [],
    LIMITS,
  );
  const open = views.flatMap(([name, text]) => {
    if (tables.includes(String(name).toLowerCase())) return [];
    const reason = findReason(textOf(text), tables);
    return reason === undefined ? [] : [[name, `${reason}; write a row_filter for the view, or TRUE for all its rows`]];
  });
  const problems = [...unknown, ...open].map(([table, reason]) => `tables/${table}: row_filter: ${reason}`);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** Returns why a view can return restricted rows; undefined if its text contains none of these names. */
function findReason(text: string, tables: readonly string[]): string | undefined {
  if (text === '') return 'the account cannot read the SQL of this view (SHOW VIEW), which can read restricted tables';
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}_$]+/gu));
  const quoted = (name: string) => ['`', '"'].some((quote) => text.toLowerCase().includes(quote + name + quote));
  const table = tables.find((name) => words.has(name) || quoted(name));
  return table && `this view reads the restricted table ${table}`;
}

/** Returns the facts about the tables of a catalogue, for warnings about SQL. */
export function tableFactsOf(catalogue: Catalogue): TableFacts {
  const facts = new Map(
    [...catalogue]
      .filter(([, { isAmbiguous }]) => !isAmbiguous)
      .map(([name, { columns, keys }]) => {
        // Without NOT NULL in the whole table, as in a view of DuckDB, it is unknown which columns can be NULL.
        const isDeclared = [...columns.values()].some(({ isNotNull }) => isNotNull);
        const known = [...columns].map(([column, { type, isNotNull }]) => {
          const values = enumValuesOf(type);
          const isNullable = isDeclared && !isNotNull;
          return [column, { type: valueTypeOf(type), isNullable, ...(values && { values }) }] as const;
        });
        return [name, { columns: new Map(known), keys }] as const;
      }),
  );
  return (table) => facts.get(table);
}

/** The facts about tables of an unknown database. */
export const NO_TABLE_FACTS: TableFacts = () => undefined;

type Row = readonly Cell[];

function groupByTable(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const [table, ...rest] of rows) {
    const name = String(table);
    const group = groups.get(name) ?? [];
    group.push(rest);
    groups.set(name, group);
  }
  return groups;
}

function toColumn([name, type, isNullable, comment, hasLocalTime]: Row): readonly [string, CatalogueColumn] {
  return [
    String(name).toLowerCase(),
    {
      name: String(name),
      type: capitalize(String(type)),
      isNotNull: isNullable === 'NO',
      comment: textOf(comment),
      hasLocalTime: Number(hasLocalTime) === 1,
    },
  ];
}

/** Writes a type in capital letters, except the values of an ENUM and quoted names of a STRUCT. */
function capitalize(type: string): string {
  return type.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|[^'"]+/g, (part) =>
    /^['"]/.test(part) ? part : part.toUpperCase(),
  );
}

/** Returns the columns of the indexes whose rows are `[index, column]`, except those with a column that can be NULL. */
function uniqueKeys(rows: readonly Row[], columns: ReadonlyMap<string, CatalogueColumn>): string[][] {
  const byIndex = new Map<string, string[]>();
  for (const [index, column] of rows) {
    byIndex.set(String(index), [...(byIndex.get(String(index)) ?? []), String(column).toLowerCase()]);
  }
  return [...byIndex.values()].filter((key) => key.every((column) => columns.get(column)?.isNotNull === true));
}

function textOf(comment: Cell | undefined): string {
  return comment === null || comment === undefined ? '' : String(comment);
}

const LIMITS = { maxRows: 100_000, timeoutMs: 10_000 };

/** The SQL of the three parts of a catalogue. In `keys`, the primary key is the first index of its table. */
interface CatalogueSql {
  readonly tables: string;
  readonly columns: string;
  readonly keys: string;
}

const MYSQL: CatalogueSql = {
  tables: `
    SELECT table_name, CASE table_type WHEN 'VIEW' THEN '' ELSE table_comment END, table_rows
    FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name`,
  columns: `
    SELECT table_name, column_name, column_type, is_nullable, column_comment,
      data_type = 'datetime'
        AND (LOWER(COALESCE(column_default, '')) LIKE '%current_timestamp%' OR LOWER(extra) LIKE '%current_timestamp%')
        AND (CONVERT_TZ('2026-01-01', '+00:00', @@global.time_zone) <> '2026-01-01'
          OR CONVERT_TZ('2026-07-01', '+00:00', @@global.time_zone) <> '2026-07-01')
    FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY table_name, ordinal_position`,
  keys: `
    SELECT table_name, index_name, column_name
    FROM information_schema.statistics WHERE table_schema = DATABASE() AND non_unique = 0
    ORDER BY table_name, index_name <> 'PRIMARY', index_name, seq_in_index`,
};

const DUCKDB: CatalogueSql = {
  tables: `
    SELECT table_name, comment, estimated_size FROM duckdb_tables()
    WHERE database_name IN (current_database(), '${ROLLUP_DATABASE}') AND schema_name = 'main'
    UNION ALL
    SELECT view_name, comment, NULL FROM duckdb_views()
    WHERE database_name IN (current_database(), '${ROLLUP_DATABASE}') AND schema_name = 'main' AND NOT internal
    ORDER BY 1`,
  columns: `
    SELECT table_name, column_name, data_type, CASE WHEN is_nullable THEN 'YES' ELSE 'NO' END, comment, 0
    FROM duckdb_columns()
    WHERE database_name IN (current_database(), '${ROLLUP_DATABASE}') AND schema_name = 'main' AND NOT internal
    ORDER BY table_name, column_index`,
  keys: `
    SELECT table_name, constraint_index, unnest(constraint_column_names)
    FROM duckdb_constraints()
    WHERE database_name IN (current_database(), '${ROLLUP_DATABASE}') AND schema_name = 'main' AND constraint_type IN ('PRIMARY KEY', 'UNIQUE')
    ORDER BY table_name, constraint_type, constraint_index`,
};

const MYSQL_VIEWS = `
  SELECT table_name, view_definition FROM information_schema.views
  WHERE table_schema NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys') ORDER BY table_name`;
const DUCKDB_VIEWS = `
  SELECT view_name, sql FROM duckdb_views()
  WHERE database_name IN (current_database(), '${ROLLUP_DATABASE}') AND NOT internal ORDER BY view_name`;
