import { endpointSchema } from '../../definitions/definition-shape.js';
import { applyChanges } from '../propose/edit-select.js';
import { requireChange } from './require-change.js';

/** Describes the expected form if a text is not a valid endpoint name; undefined for a valid name. */
export function findNameFault(name: string): string | undefined {
  const { pattern = '', maxLength = 0 } =
    (endpointSchema.properties as Readonly<Record<string, NameSchema>>).name ?? {};
  if (!new RegExp(pattern).test(name)) return 'a name in kebab-case, such as loaves-by-kind';
  return name.length > maxLength ? `at most ${maxLength} characters` : undefined;
}

interface NameSchema {
  readonly pattern?: string;
  readonly maxLength?: number;
}

/** Returns the name and the path of a definition file; undefined for values that are not text. */
export async function readIdentity(
  text: string,
): Promise<{ readonly name: string | undefined; readonly path: string | undefined }> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { version: '1.2' });
  const [name, path] = ['name', 'path'].map((key) => document.get(key));
  const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return { name: textOf(name), path: textOf(path) };
}

/** Replaces top-level values in the text of a definition file. All other characters of the file stay unchanged. */
export async function replaceTopValues(
  file: string,
  text: string,
  values: Readonly<Record<string, string>>,
): Promise<string> {
  const { isScalar, parseDocument } = await import('yaml');
  const document = parseDocument(text, { version: '1.2' });
  const pieces = Object.entries(values).map(([key, value]) => {
    const node = document.get(key, true);
    if (!isScalar(node) || !node.range) throw new Error(`${file} has no ${key} that can be changed.`);
    return { start: node.range[0], end: node.range[1], text: file.endsWith('.json') ? JSON.stringify(value) : value };
  });
  const after = applyChanges(text, pieces);
  const advice = `change ${Object.keys(values).join(' and ')} by hand`;
  requireChange(file, { before: text, after, expect: (old) => ({ ...old, ...values }), advice });
  return after;
}
