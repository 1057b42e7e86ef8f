import type { PublicTables } from '../../sql/guard/public-table.js';

/** What people and models read about the tables: the meaning of each table and each column. */
export type TableReference = ReadonlyMap<
  string,
  {
    readonly description: string;
    readonly columns: ReadonlyMap<string, { readonly type: string; readonly description: string }>;
  }
>;

/**
 * Describes the public tables and columns for a model, one line per column. Private tables and columns of the reference
 * are omitted. A public column without a description is only named.
 */
export function describeTables(tables: PublicTables, reference: TableReference): string {
  return [...tables].map(([name, { columns }]) => describeTable(name, columns, reference)).join('\n\n');
}

function describeTable(name: string, columns: readonly string[], reference: TableReference): string {
  const known = reference.get(name);
  const lines = columns.map((column) => {
    const { type = '', description = '' } = known?.columns.get(column) ?? {};
    const title = `${column} ${type}`.trim();
    return `- ${title}${description === '' ? '' : `: ${description}`}`;
  });
  return [`### ${name}`, ...(known === undefined ? [] : [known.description]), ...lines].join('\n');
}
