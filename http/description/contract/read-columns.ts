import type { ContractColumn } from '../../contract/contract.js';
import type { DocumentNode } from './document-node.js';

/**
 * Reads the columns from the schemas of the answers of `/q/{name}` and of the path. Without a path, the format of the texts is not
 * known.
 */
export function readColumns(named: DocumentNode, atPath: DocumentNode | undefined): ContractColumn[] {
  const texts = atPath?.get('properties').get('data').get('properties').get('rows').get('items').get('properties');
  const cells = named.get('properties').get('data').get('items').get('properties');
  return cells.entries().map(([col, cell]) => {
    const types = readTypes(cell.get('type'));
    const nativeTypes = types.filter((type) => type !== 'null');
    const textPattern = texts === undefined ? undefined : readPattern(texts.get(col).find('pattern')?.text());
    return {
      col,
      type: `${nativeTypes.join(' or ')}${textPattern == null ? '' : ` like ${textPattern}`}`,
      scale: undefined,
      nullable: types.includes('null'),
      description: cell.find('description')?.text() ?? '',
      nativeTypes,
      textPattern,
    };
  });
}

function readTypes(type: DocumentNode): string[] {
  return type.isList() ? type.items().map((item) => item.text()) : [type.text()];
}

/** Removes the parts of a pattern that say that it matches the whole cell, and that the cell can be empty. */
function readPattern(pattern: string | undefined): string | null {
  const [, nullable, required] = /^\^(?:\((.*)\)\?|(.*))\$$/s.exec(pattern ?? '') ?? [];
  return nullable ?? required ?? null;
}
