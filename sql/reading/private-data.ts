/** Tables and columns that no definition may read. Names are in lower case. */
export interface PrivateData {
  isPrivateTable(table: string): boolean;
  /** Private columns of tables whose other columns may be read, by table. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
}

/** A token of the query that reads private data, and the problem. */
export interface PrivateRead {
  readonly token: string;
  readonly message: string;
}

/**
 * Finds reads of private data in a parsed query, at any depth. A name counts as that of the table even if a WITH has the same name,
 * and a column without a table, or of a subquery, counts as private.
 */
export function findPrivateReads(statement: unknown, { isPrivateTable, columns }: PrivateData): PrivateRead[] {
  const names = namesIn(statement);
  const privateTables = names.tables
    .filter(({ table }) => isPrivateTable(table.toLowerCase()))
    .map(({ table }) => ({ token: table, message: `${table} is private: a definition reads no such table` }));
  const privateColumns = Object.entries(columns).flatMap(([table, hidden]) => [
    ...namedReads(names, table, hidden),
    ...wholeReads(names, table, hidden.join(', ')),
  ]);
  return [...privateTables, ...privateColumns];
}

/** Private columns of the table that the query names. */
function namedReads({ tables, columns }: Names, table: string, hidden: readonly string[]): PrivateRead[] {
  if (!tables.some((one) => isNamed(one.table, table))) return [];
  const isOfOther = (qualifier: string | undefined) => {
    const known = tables.filter(({ alias }) => qualifier !== undefined && isNamed(alias, qualifier));
    return known.length > 0 && known.every((one) => !isNamed(one.table, table));
  };
  return columns
    .filter(({ column, qualifier }) => hidden.some((name) => isNamed(column, name)) && !isOfOther(qualifier))
    .map(({ column }) => ({ token: column, message: `the column ${column} of ${table} is private: leave it out` }));
}

/** Reads of the table that name no column: by `*`, as a value that holds a whole row, and under other names. */
function wholeReads({ tables, columns, selects }: Names, table: string, hidden: string): PrivateRead[] {
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

type Tree = Readonly<Record<string, unknown>>;

interface Source {
  readonly table: string;
  /** The table itself where it has none. */
  readonly alias: string;
  /** Whether names for its columns follow the alias. */
  readonly isRenamed: boolean;
}

interface ColumnName {
  readonly column: string;
  readonly qualifier: string | undefined;
}

interface Names {
  readonly tables: Source[];
  readonly columns: ColumnName[];
  /** The tables in the FROM of each SELECT, and the alias before each `*`, empty if there is none. */
  readonly selects: { readonly from: readonly Source[]; readonly wildcards: readonly string[] }[];
}

function namesIn(statement: unknown): Names {
  const names: Names = { tables: [], columns: [], selects: [] };
  visit(statement, (key, part) => {
    if (key === 'table') names.tables.push(...sourceOf(part));
    if (key === 'select') names.selects.push({ from: directSources(part), wildcards: wildcardsOf(part) });
    if (key === 'select' || key === 'joined_table') names.columns.push(...joiningColumns(part));
    const column = key === 'column' ? nameOf(part.name) : undefined;
    if (column !== undefined) names.columns.push({ column, qualifier: nameOf(part.table) });
    return true;
  });
  return names;
}

/** The table name before a column is also a part named `table`, but a plain identifier: it is no source. */
function sourceOf(part: Tree): Source[] {
  const table = nameOf(part.name);
  const isRenamed = listOf(part.column_aliases).length > 0;
  return table === undefined ? [] : [{ table, alias: nameOf(part.alias) ?? table, isRenamed }];
}

/** The columns of USING. */
function joiningColumns({ joins }: Tree): ColumnName[] {
  return listOf(joins)
    .flatMap((join) => listOf((join as Tree).using))
    .flatMap((name) => nameOf(name) ?? [])
    .map((column) => ({ column, qualifier: undefined }));
}

function directSources({ from, joins }: Tree): Source[] {
  const sources: Source[] = [];
  visit([from, joins], (key, part) => {
    if (key === 'table') sources.push(...sourceOf(part));
    return key !== 'select';
  });
  return sources;
}

function wildcardsOf({ expressions }: Tree): string[] {
  return listOf(expressions).flatMap((expression) => {
    const [content] = Object.values(expression as Tree);
    // Only `*` and `t.*` can except columns.
    return isTree(content) && 'except' in content ? [nameOf(content.table) ?? ''] : [];
  });
}

/** Goes on below a part where `look` returns true. */
function visit(node: unknown, look: (key: string, part: Tree) => boolean): void {
  if (Array.isArray(node)) for (const item of node) visit(item, look);
  else if (isTree(node)) {
    for (const [key, part] of Object.entries(node)) if (!isTree(part) || look(key, part)) visit(part, look);
  }
}

function listOf(part: unknown): readonly unknown[] {
  return Array.isArray(part) ? part : [];
}

function isTree(node: unknown): node is Tree {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

function nameOf(identifier: unknown): string | undefined {
  return isTree(identifier) && typeof identifier.name === 'string' ? identifier.name : undefined;
}

function isNamed(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase();
}
