import { isDeepStrictEqual } from 'node:util';
import {
  type DefinitionPath,
  type DefinitionSource,
  isMapping,
  parseDefinition,
} from '../../definitions/definition-source.js';
import type { Problem } from '../../definitions/problem.js';
import { createKeyOrder, type KeyOrder, sortKeys } from './key-order.js';

/** The text of a formatted file, or the problem why the file cannot be read. */
export type FormattedText = { readonly text: string } | { readonly problem: Problem };

/**
 * Formats a definition file or a file of shared parts: the order of keys, indentation, short collections on one line,
 * long descriptions in several lines. Comments and the spelling of values stay; only blanks at the ends of SQL lines
 * are removed. Throws an error if formatting would change the meaning.
 */
export async function formatDefinitionText(file: string, text: string): Promise<FormattedText> {
  const before = parseDefinition(file, Buffer.from(text));
  if (!('value' in before)) return { problem: before };
  const order = createKeyOrder(file);
  const formatted = file.endsWith('.json') ? formatJson(before.value, order) : await formatYaml(text, order);
  await requireSameMeaning(before, text, formatted);
  return { text: formatted };
}

function formatJson(value: unknown, order: KeyOrder): string {
  const sorted = (inside: unknown, path: DefinitionPath): unknown => {
    if (Array.isArray(inside)) return inside.map((item, index) => sorted(item, [...path, index]));
    if (!isMapping(inside)) return inside;
    // `$schema` comes first, because it describes the file and is not a key of the definition.
    const entries = sortKeys(Object.entries(inside), ([key]) => key, ['$schema', ...order(path)]);
    return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item, [...path, key])]));
  };
  return `${JSON.stringify(sorted(value, []), null, 2)}\n`;
}

async function formatYaml(text: string, order: KeyOrder): Promise<string> {
  const { parseDocument } = await import('yaml');
  const { writeDocument } = await import('./layout.js');
  return writeDocument(parseDocument(text, { version: '1.2' }), { source: text, order });
}

/** Throws an error if the values or the comments of both texts differ. This would be a bug in the formatter. */
async function requireSameMeaning(before: DefinitionSource, text: string, formatted: string): Promise<void> {
  const after = parseDefinition(before.file, Buffer.from(formatted));
  const isSame = 'value' in after && isDeepStrictEqual(trimmed(before.value), trimmed(after.value));
  if (!isSame) throw new Error(`${before.file} cannot be formatted: its values would change. The file stays as it is.`);
  if (before.file.endsWith('.json')) return;
  const [had, has] = [await commentsOf(text), await commentsOf(formatted)];
  if (isDeepStrictEqual(had, has)) return;
  throw new Error(`${before.file} cannot be formatted: a comment would be lost. The file stays as it is.`);
}

/** Returns a value without blanks at the ends of lines and empty lines at the end. */
function trimmed(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/[ \t]+$/gm, '').replace(/\n+$/, '\n');
  if (Array.isArray(value)) return value.map(trimmed);
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, trimmed(inside)]));
}

/** Returns the words of all comments. The words are sorted, because formatting can move a comment with its key. */
async function commentsOf(text: string): Promise<readonly string[]> {
  const { Lexer } = await import('yaml');
  const comments = [...new Lexer().lex(text)].filter((token) => /^#/.test(token));
  return comments.map((comment) => comment.trimEnd()).sort();
}
