import { RESERVED_WORDS } from './reserved-words.js';
import type { Fields } from './tree.js';

/** A part of a query that is not allowed: the token to report, its offset if the parser provides it, and a message. */
export interface Rejection {
  readonly token: string;
  readonly at?: number;
  readonly message: string;
}

/**
 * Returns a rejection if a name is a reserved word of MySQL, MariaDB or TiDB without backticks. Words in `reported` are
 * not reported again; the function adds the word.
 */
export function findReservedName(node: object, reported: Set<string>): Rejection | undefined {
  const { name, quoted, args, span } = node as Fields;
  if (typeof name !== 'string' || quoted !== false || args !== undefined) return undefined;
  const word = name.toUpperCase();
  if (!RESERVED_WORDS.has(word) || reported.has(word)) return undefined;
  reported.add(word);
  const at = (span as Fields | null | undefined)?.start;
  const message = `${name} is a reserved word of MySQL, MariaDB or TiDB: write \`${name}\``;
  return { token: `\`${name}\``, message, ...(typeof at === 'number' && { at }) };
}

/** Returns true for a name before or after a `.`, where every word is allowed. */
export function isFreeName(node: Fields, key: string): boolean {
  const isNode = (part: unknown) => typeof part === 'object' && part !== null;
  if (key === 'table') return 'join_mark' in node || 'except' in node;
  if (key === 'schema' || key === 'catalog') return true;
  return key === 'name' && (isNode(node.schema) || ('join_mark' in node && isNode(node.table)));
}
