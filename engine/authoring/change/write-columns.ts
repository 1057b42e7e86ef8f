import type { Document, Node, YAMLMap } from 'yaml';
import type { ColumnDefinition } from '../../definitions/definition.js';
import { formatDefinitionText } from '../format/format-definition-text.js';
import { createKeyOrder } from '../format/key-order.js';

/**
 * Writes columns into the text of a definition file. Descriptions and comments of declared columns stay; the file is
 * formatted as by the command `endpoint format`. Throws an error if the columns come from a shared part.
 */
export async function writeColumns(file: string, text: string, columns: readonly ColumnDefinition[]): Promise<string> {
  if (file.endsWith('.json')) {
    const value = JSON.parse(text) as { columns?: readonly unknown[] };
    requireOwnColumns(file, value.columns ?? []);
    return formatted(file, JSON.stringify({ ...value, columns }));
  }
  const { isMap, isSeq, parseDocument } = await import('yaml');
  const { writeDocument } = await import('../format/layout.js');
  const document = parseDocument(text, { version: '1.2' });
  const list = document.get('columns');
  const rows = isSeq(list) ? list : document.createNode([]);
  requireOwnColumns(file, rows.toJSON() as readonly unknown[]);
  const known = new Map(rows.items.flatMap((row) => (isMap(row) ? [[String(row.get('col')), row] as const] : [])));
  rows.items = columns.map((column) => changeRow(document, known.get(column.col), column));
  if (!isSeq(list)) document.set('columns', rows);
  return formatted(file, writeDocument(document, { source: text, order: createKeyOrder(file) }));
}

function requireOwnColumns(file: string, rows: readonly unknown[]): void {
  const used = rows.find((row): row is { use: unknown } => typeof row === 'object' && row !== null && 'use' in row);
  if (used === undefined) return;
  throw new Error(
    `${file} uses the shared columns "${used.use}": change them in the shared file, or write them in the definition.`,
  );
}

/** Changes type, scale and NULL of a row, or creates the row. Values are new nodes, because existing nodes keep their spelling. */
function changeRow(document: Document, row: YAMLMap | undefined, column: ColumnDefinition): Node {
  if (row === undefined) {
    const created = document.createNode(column) as YAMLMap;
    created.flow = true;
    return created;
  }
  for (const key of ['data_type', 'scale', 'nullable'] as const) {
    const value = column[key];
    if (value === undefined) row.delete(key);
    else if (row.get(key) !== value) row.set(key, document.createNode(value));
  }
  return row;
}

async function formatted(file: string, text: string): Promise<string> {
  const result = await formatDefinitionText(file, text);
  if ('problem' in result) throw new Error(`${file} cannot be changed: ${result.problem.message}`);
  return result.text;
}
