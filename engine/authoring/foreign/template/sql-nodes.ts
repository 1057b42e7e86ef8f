import { NOT_CODE } from '../../../sql/reading/lexemes.js';

/** A piece of text of a foreign file. `at` is its offset in the file. */
export interface TextNode {
  readonly text: string;
  readonly at: number;
}

/** A placeholder for a parameter in foreign SQL. */
export interface PlaceholderNode {
  /** The name of the parameter in the foreign file. */
  readonly parameter: string;
  /** Filters that follow the name in a Liquid output, such as ` | upcase`. */
  readonly filters: string;
  readonly at: number;
}

export type SqlNode = TextNode | PlaceholderNode;

/** A found placeholder, with its offsets in the searched text. */
export interface FoundPlaceholder {
  readonly start: number;
  readonly end: number;
  readonly parameter: string;
  readonly filters?: string;
}

/** A lexical part of SQL in the MySQL dialect. The nodes of quoted parts include the quotes. */
export interface Segment {
  readonly kind: 'code' | 'literal' | 'name' | 'comment';
  readonly nodes: readonly SqlNode[];
}

export function isText(node: SqlNode): node is TextNode {
  return 'text' in node;
}

/** Splits every text at the placeholders that `find` returns, in ascending order and without overlaps. */
export function splitAtPlaceholders(
  nodes: readonly SqlNode[],
  find: (text: string) => readonly FoundPlaceholder[],
): SqlNode[] {
  return nodes.flatMap((node): SqlNode[] => {
    if (!isText(node)) return [node];
    const parts: SqlNode[] = [];
    let end = 0;
    for (const { start, end: next, parameter, filters = '' } of find(node.text)) {
      parts.push({ text: node.text.slice(end, start), at: node.at + end });
      parts.push({ parameter, filters, at: node.at + start });
      end = next;
    }
    parts.push({ text: node.text.slice(end), at: node.at + end });
    return parts.filter((part) => !isText(part) || part.text !== '');
  });
}

/** Divides SQL into code, quoted texts, quoted names and comments. A placeholder can be inside each of them. */
export function readSegments(nodes: readonly SqlNode[]): Segment[] {
  const text = nodes.map((node) => (isText(node) ? node.text : MARK)).join('');
  const segments: Segment[] = [];
  let end = 0;
  const add = (kind: Segment['kind'], start: number, next: number) => {
    if (start < next) segments.push({ kind, nodes: sliceNodes(nodes, start, next) });
  };
  for (const match of text.matchAll(PARTS)) {
    add('code', end, match.index);
    end = match.index + match[0].length;
    add(kindOf(match[0]), match.index, end);
  }
  add('code', end, text.length);
  return segments;
}

/** A character that replaces each placeholder while SQL is split into segments. Foreign files must not contain it. */
export const MARK = '\uE000';

const PARTS = new RegExp(NOT_CODE, 'gs');

function kindOf(part: string): Segment['kind'] {
  if (part.startsWith('`')) return 'name';
  return /^['"]/.test(part) ? 'literal' : 'comment';
}

/** Returns the nodes between two offsets of the joined text. Each placeholder has a length of one character in it. */
function sliceNodes(nodes: readonly SqlNode[], start: number, end: number): SqlNode[] {
  const slice: SqlNode[] = [];
  let offset = 0;
  for (const node of nodes) {
    const length = isText(node) ? node.text.length : 1;
    const [from, to] = [Math.max(start - offset, 0), Math.min(end - offset, length)];
    if (from < to) slice.push(isText(node) ? { text: node.text.slice(from, to), at: node.at + from } : node);
    offset += length;
  }
  return slice;
}
