import type { PublicTables } from '../../sql/guard/public-table.js';
import type { TableReferences } from '../../warehouse/reference/find-table.js';
import type { TableReference } from '../../warehouse/reference/table-reference-entry.js';

/**
 * Describes the public tables and columns for a model, one line per column. Private tables and columns of the reference
 * are omitted. A public column without a description is only named, and also a column whose name and description are those of a
 * column above. Types have no lengths, which no query needs.
 */
export function describeTables(tables: PublicTables, reference: TableReferences): string {
  const described = new Set<string>();
  const describeColumn = (name: string, { type = '', description = '' } = {}) => {
    const title = `- ${name} ${type.replace(/\(.*\)/, '')}`.trim();
    const line = description === '' ? title : `${title}: ${description}`;
    const isRepeated = described.has(line);
    described.add(line);
    return isRepeated ? title : line;
  };
  const texts = [...tables].map(([name, { columns }]) => {
    const known = reference.get(name);
    const lines = columns.map((column) => describeColumn(column, known?.columns.get(column)));
    return [`### ${name}`, ...(known === undefined ? [] : [introduce(known)]), ...lines].join('\n');
  });
  return texts.join('\n\n');
}

function introduce({ grain, description }: TableReference): string {
  return grain === undefined ? description : `One row: ${grain}. ${description}`;
}
