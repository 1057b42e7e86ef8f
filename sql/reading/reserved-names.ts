import { RESERVED_WORDS } from './reserved-words.js';

/** What a query may not do: a token to point at, the place of its first character where it is known, and a message. */
export interface Refusal {
  readonly token: string;
  readonly at?: number;
  readonly message: string;
}

type Tree = Readonly<Record<string, unknown>>;

/** Rejects a name without backticks that is a reserved word of some server; `reported` has the words that were rejected before. */
export function reservedName(node: object, reported: Set<string>): Refusal | undefined {
  const { name, quoted, args, span } = node as Tree;
  if (typeof name !== 'string' || quoted !== false || args !== undefined) return undefined;
  const word = name.toUpperCase();
  if (!RESERVED_WORDS.has(word) || reported.has(word)) return undefined;
  reported.add(word);
  const at = (span as Tree | null | undefined)?.start;
  const message = `${name} is a reserved word of MySQL, MariaDB or TiDB: write \`${name}\``;
  return { token: `\`${name}\``, message, ...(typeof at === 'number' && { at }) };
}

/** Any word is allowed before or after a `.`. */
export function isFreeName(node: Tree, key: string): boolean {
  const isNode = (part: unknown) => typeof part === 'object' && part !== null;
  if (key === 'table') return 'join_mark' in node || 'except' in node;
  if (key === 'schema' || key === 'catalog') return true;
  return key === 'name' && (isNode(node.schema) || ('join_mark' in node && isNode(node.table)));
}
