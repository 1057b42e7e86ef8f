/** What no definition may read. Names are in lower case. */
export interface PrivateData {
  isPrivateTable(table: string): boolean;
  /** Private columns of tables that may be read otherwise, by table. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
}

/** A token to point at, and what is wrong with it. */
export interface PrivateRead {
  readonly token: string;
  readonly message: string;
}

/**
 * Private data that a parsed query names, at any depth. A name counts as the table's also where a WITH has the same name, and a
 * column without a table, or with one that is a query, counts as private.
 */
export function findPrivateReads(statement: unknown, { isPrivateTable, columns }: PrivateData): PrivateRead[] {
  const { tables, columns: named, selects } = namesIn(statement);
  const privateTables = tables
    .filter(({ table }) => isPrivateTable(table.toLowerCase()))
    .map(({ table }) => ({ token: table, message: `${table} is private: a definition reads no such table` }));
  const privateColumns = Object.entries(columns).flatMap(([table, hidden]) => {
    if (!tables.some((one) => isNamed(one.table, table))) return [];
    const isOfOther = (qualifier: string | undefined) => {
      const known = tables.filter(({ alias }) => qualifier !== undefined && isNamed(alias, qualifier));
      return known.length > 0 && known.every((one) => !isNamed(one.table, table));
    };
    const read = named.filter(
      ({ column, qualifier }) => hidden.some((name) => isNamed(column, name)) && !isOfOther(qualifier),
    );
    const all = selects.some(({ wildcards, from }) =>
      from.some(
        (one) => isNamed(one.table, table) && wildcards.some((alias) => alias === '' || isNamed(one.alias, alias)),
      ),
    );
    return [
      ...read.map(({ column }) => ({
        token: column,
        message: `the column ${column} of ${table} is private: leave it out`,
      })),
      ...(all
        ? [{ token: '*', message: `* reads the private column ${hidden.join(', ')} of ${table}: name the columns` }]
        : []),
    ];
  });
  return [...privateTables, ...privateColumns];
}

type Tree = Readonly<Record<string, unknown>>;

interface Source {
  readonly table: string;
  /** The table itself where it has none. */
  readonly alias: string;
}

interface Names {
  readonly tables: Source[];
  readonly columns: { readonly column: string; readonly qualifier: string | undefined }[];
  /** Of every SELECT the tables of its own FROM, and what stands before each `*`: an alias, or nothing. */
  readonly selects: { readonly from: readonly Source[]; readonly wildcards: readonly string[] }[];
}

function namesIn(statement: unknown): Names {
  const names: Names = { tables: [], columns: [], selects: [] };
  visit(statement, (key, part) => {
    if (key === 'table') names.tables.push(...sourceOf(part));
    if (key === 'select') names.selects.push({ from: directSources(part), wildcards: wildcardsOf(part) });
    const column = key === 'column' ? nameOf(part.name) : undefined;
    if (column !== undefined) names.columns.push({ column, qualifier: nameOf(part.table) });
    return true;
  });
  return names;
}

/** A name that a column has before it is no source. */
function sourceOf(part: Tree): Source[] {
  const table = nameOf(part.name);
  return table === undefined ? [] : [{ table, alias: nameOf(part.alias) ?? table }];
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
  return (Array.isArray(expressions) ? expressions : []).flatMap((expression) => {
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

function isTree(node: unknown): node is Tree {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

function nameOf(identifier: unknown): string | undefined {
  return isTree(identifier) && typeof identifier.name === 'string' ? identifier.name : undefined;
}

function isNamed(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase();
}
