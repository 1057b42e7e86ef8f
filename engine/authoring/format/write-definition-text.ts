import type { Scalar, YAMLMap } from 'yaml';
import { createKeyOrder } from './key-order.js';

/**
 * Writes a definition as YAML in the format of definition files. `schema` is the path of the JSON Schema relative to the file, for
 * editors.
 */
export async function writeDefinitionText(
  definition: Readonly<Record<string, unknown>>,
  schema?: string,
): Promise<string> {
  const { Document, isCollection, visit } = await import('yaml');
  const { writeDocument } = await import('./layout.js');
  const document = new Document(definition, { aliasDuplicateObjects: false });
  visit(document, {
    Collection: (_, node, path) => {
      // Mappings of parameters and lists of rows have one line per item; everything else is on one line.
      const depth = path.filter(isCollection).length;
      node.flow = depth > 1;
    },
  });
  const [first] = (document.contents as YAMLMap<Scalar>).items;
  if (schema !== undefined && first !== undefined) first.key.commentBefore = ` yaml-language-server: $schema=${schema}`;
  for (const key of ['pagination', 'limits', 'tags', 'cache']) {
    const node = document.get(key);
    if (isCollection(node)) node.flow = true;
  }
  return writeDocument(document, { source: '', order: createKeyOrder('definition.yaml') });
}
