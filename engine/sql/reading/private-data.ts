import { type Fields, isFields, listOf, nameIn } from './tree.js';

/** Tables and columns that a definition must not read. Names are in lower case. */
export interface PrivateData {
  isPrivateTable(table: string): boolean;
  /** Private columns by table, for tables whose other columns are public. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
}

/** A token of the query that reads private data, and the message for the author. */
export interface PrivateRead {
  readonly token: string;
  readonly message: string;
}

/**
 * Finds reads of private data in a parsed query, at any depth. The check is strict: a table name counts as the private
 * table even if a WITH defines the same name, and a column name counts as the private column if it is unqualified or
 * its qualifier is the alias of a subquery.
 */
export function findPrivateReads(statement: unknown, { isPrivateTable, columns }: PrivateData): PrivateRead[] {
  const names = collectNames(statement);
  const privateTables = names.tables
    .filter(({ table }) => isPrivateTable(table.toLowerCase()))
    .map(({ table }) => ({ token: table, message: `the table ${table} is private: a definition cannot read it` }));
  const privateColumns = Object.entries(columns).flatMap(([table, hidden]) => [
    ...findNamedReads(names, table, hidden),
    ...findWholeRowReads(names, table, hidden.join(', ')),
  ]);
  return [...privateTables, ...privateColumns];
}

/** Finds where the query names a private column of the table. */
function findNamedReads({ tables, columns }: Names, table: string, hidden: readonly string[]): PrivateRead[] {
  if (!tables.some((one) => isNamed(one.table, table))) return [];
  const isOfOther = (qualifier: string | undefined) => {
    const known = tables.filter(({ alias }) => qualifier !== undefined && isNamed(alias, qualifier));
    return known.length > 0 && known.every((one) => !isNamed(one.table, table));
  };
  return columns
    .filter(({ column, qualifier }) => hidden.some((name) => isNamed(column, name)) && !isOfOther(qualifier))
    .map(({ column }) => ({ token: column, message: `the column ${column} of ${table} is private: remove it` }));
}

/** Finds reads of private columns without their names: `*`, the table name as a row value, and column aliases of the table. */
function findWholeRowReads({ tables, columns, selects }: Names, table: string, hidden: string): PrivateRead[] {
  const own = tables.filter((one) => isNamed(one.table, table));
  const isAll = selects.some(({ wildcards, from }) =>
    from.some(
      (one) => isNamed(one.table, table) && wildcards.some((alias) => alias === '' || isNamed(one.alias, alias)),
    ),
  );
  const values = columns.filter(
    ({ column, qualifier }) => qualifier === undefined && own.some(({ alias }) => isNamed(alias, column)),
  );
  return [
    ...(isAll ? [{ token: '*', message: `* reads the private column ${hidden} of ${table}: name the columns` }] : []),
    ...values.map(({ column }) => ({
      token: column,
      message: `the table ${column} as a value reads the private column ${hidden}: name a column`,
    })),
    ...own
      .filter(({ isRenamed }) => isRenamed)
      .map(({ alias }) => ({
        token: alias,
        message: `${alias} (…) renames the private column ${hidden}: rename columns in the select list`,
      })),
  ];
}

interface Source {
  readonly table: string;
  /** The alias, or the table name if the source has no alias. */
  readonly alias: string;
  /** Whether a list of column names follows the alias. */
  readonly isRenamed: boolean;
}

interface ColumnName {
  readonly column: string;
  readonly qualifier: string | undefined;
}

interface Names {
  readonly tables: Source[];
  readonly columns: ColumnName[];
  /**
   * One entry per SELECT. `from` contains its tables. `wildcards` contains the alias before each `*`, which is empty
   * for a plain `*`.
   */
  readonly selects: { readonly from: readonly Source[]; readonly wildcards: readonly string[] }[];
}

function collectNames(statement: unknown): Names {
  const names: Names = { tables: [], columns: [], selects: [] };
  visit(statement, (key, part) => {
    if (key === 'table') names.tables.push(...sourceOf(part));
    if (key === 'select') names.selects.push({ from: directSources(part), wildcards: wildcardsOf(part) });
    if (key === 'select' || key === 'joined_table') names.columns.push(...joiningColumns(part));
    const column = key === 'column' ? nameIn(part.name) : undefined;
    if (column !== undefined) names.columns.push({ column, qualifier: nameIn(part.table) });
    return true;
  });
  return names;
}

/**
 * Returns the table of a part with the key `table`, as a list with one element. Returns an empty list if the part is a
 * plain identifier: the parser also uses the key `table` for the qualifier of a column.
 */
function sourceOf(part: Fields): Source[] {
  const table = nameIn(part.name);
  const isRenamed = listOf(part.column_aliases).length > 0;
  return table === undefined ? [] : [{ table, alias: nameIn(part.alias) ?? table, isRenamed }];
}

/** Returns the columns that USING names. */
function joiningColumns({ joins }: Fields): ColumnName[] {
  return listOf(joins)
    .flatMap((join) => listOf((join as Fields).using))
    .flatMap((name) => nameIn(name) ?? [])
    .map((column) => ({ column, qualifier: undefined }));
}

function directSources({ from, joins }: Fields): Source[] {
  const sources: Source[] = [];
  visit([from, joins], (key, part) => {
    if (key === 'table') sources.push(...sourceOf(part));
    return key !== 'select';
  });
  return sources;
}

function wildcardsOf({ expressions }: Fields): string[] {
  return listOf(expressions).flatMap((expression) => {
    const [content] = Object.values(expression as Fields);
    // The field `except` identifies `*` and `t.*`.
    return isFields(content) && 'except' in content ? [nameIn(content.table) ?? ''] : [];
  });
}

/** Calls `look` for every part of the tree, and visits the children of a part if `look` returns true. */
function visit(node: unknown, look: (key: string, part: Fields) => boolean): void {
  if (Array.isArray(node)) for (const item of node) visit(item, look);
  else if (isFields(node)) {
    for (const [key, part] of Object.entries(node)) if (!isFields(part) || look(key, part)) visit(part, look);
  }
}

function isNamed(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase();
}
