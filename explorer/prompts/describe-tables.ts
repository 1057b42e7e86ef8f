import type { PublicTables } from '../../sql/guard/public-table.js';
import type { TableReference } from '../../warehouse/reference/table-reference-entry.js';

/** The meaning of each table. */
export type TableReferences = ReadonlyMap<string, Pick<TableReference, 'description' | 'columns'>>;

/**
 * Describes the public tables and columns for a model, one line per column. Private tables and columns of the reference
 * are omitted. A public column without a description is only named.
 */
export function describeTables(tables: PublicTables, reference: TableReferences): string {
  return [...tables].map(([name, { columns }]) => describeTable(name, columns, reference)).join('\n\n');
}

function describeTable(name: string, columns: readonly string[], reference: TableReferences): string {
  const known = reference.get(name);
  const lines = columns.map((column) => {
    const { type = '', description = '' } = known?.columns.get(column) ?? {};
    const title = `${column} ${type}`.trim();
    return `- ${title}${description === '' ? '' : `: ${description}`}`;
  });
  return [`### ${name}`, ...(known === undefined ? [] : [known.description]), ...lines].join('\n');
}
