import { type Document, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import { type KeyOrder, sortKeys } from './key-order.js';
import { canBeLiteral, foldText, LINE_WIDTH, trimSqlLines, writeLiteral, writeText } from './scalar-text.js';

type Path = readonly (string | number)[];

/** The text of the file, from which scalars are copied to keep their spelling, and the order of the keys. */
interface LayoutParts {
  readonly source: string;
  readonly order: KeyOrder;
}

/** Writes a YAML file. The comments before the first key stay at the start of the file. */
export function writeDocument(document: Document, parts: LayoutParts): string {
  const map = document.contents as YAMLMap<Scalar, Node>;
  const [first] = map.items;
  const before = commentLines(document.commentBefore, '');
  // The parser stores a comment on the document only if an empty line separates it from the first key.
  if (before.length > 0) before.push('');
  before.push(...[map.commentBefore, first?.key.commentBefore].flatMap((one) => commentLines(one, '')));
  if (first !== undefined) first.key.commentBefore = null;
  const lines = [...before, ...new Layout(parts).write(map), ...commentLines(document.comment, '')];
  return `${lines.join('\n')}\n`;
}

/** Writes the YAML tree of a file in the format of definition files. It changes no value and keeps all comments. */
class Layout {
  readonly #source: string;
  readonly #order: KeyOrder;

  constructor({ source, order }: LayoutParts) {
    this.#source = source;
    this.#order = order;
  }

  write(map: YAMLMap): string[] {
    return this.#blockMap(map, '', []);
  }

  #blockMap(map: YAMLMap, indent: string, path: Path): string[] {
    const pairs = sortKeys(map.items as Pair<Scalar, Node>[], (pair) => keyOf(pair), this.#order(path));
    const lines = pairs.flatMap((pair, index) => {
      const comments = commentLines(pair.key.commentBefore, indent);
      const isApart = pair.key.spaceBefore === true && index > 0;
      return [...(isApart ? [''] : []), ...comments, ...this.#pair(pair, indent, path)];
    });
    return [...lines, ...commentLines(map.comment, indent)];
  }

  #pair(pair: Pair<Scalar, Node>, indent: string, path: Path): string[] {
    const key = writeText(keyOf(pair), false);
    const start = `${indent}${key}:`;
    const { value } = pair;
    if (value === null || value === undefined) return [start];
    return this.#value(value, start, { indent, path: [...path, keyOf(pair)] });
  }

  /** Writes a value after the text `start`: on the same line, or on the following lines with more indentation. */
  #value(value: Node, start: string, { indent, path }: Place): string[] {
    const inside = `${indent}  `;
    if (isScalar(value)) return this.#scalar(value, start, { indent: inside, path });
    const before = commentLines(value.commentBefore, inside);
    const line = this.#flow(value, path);
    if (line !== undefined && isFlowPlace(value) && before.length === 0) {
      const text = `${start} ${line}${trailingComment(value)}`;
      if (text.length <= LINE_WIDTH || line.length === 2 || path[0] === 'examples') return [text];
      if (isSeq(value) && value.items.every(isScalar)) return [start, ...fill(this.#texts(value, path), inside)];
    }
    if (isSeq(value)) return [start, ...before, ...this.#blockSequence(value, inside, path)];
    return [start, ...before, ...this.#blockMap(value as YAMLMap, inside, path)];
  }

  #blockSequence(sequence: YAMLSeq, indent: string, path: Path): string[] {
    const lines = (sequence.items as Node[]).flatMap((item, index) => {
      const comments = commentLines(item.commentBefore, indent);
      const isApart = item.spaceBefore === true && index > 0;
      return [...(isApart ? [''] : []), ...comments, ...this.#item(item, indent, [...path, index])];
    });
    return [...lines, ...commentLines(sequence.comment, indent)];
  }

  #item(item: Node, indent: string, path: Path): string[] {
    if (isScalar(item)) return this.#scalar(item, `${indent}-`, { indent: `${indent}  `, path });
    const line = this.#flow(item, path);
    if (line !== undefined && (isFlowPlace(item) || isRow(path))) return [`${indent}- ${line}${trailingComment(item)}`];
    if (isSeq(item)) return this.#value(item, `${indent}-`, { indent, path });
    const [first = '', ...rest] = this.#blockMap(item as YAMLMap, `${indent}  `, path);
    const comments = /^\s*#/.test(first);
    return comments ? [first, ...this.#afterComments(rest, indent)] : [`${indent}- ${first.trimStart()}`, ...rest];
  }

  /** Puts the dash of a list item before its first line that is not a comment. */
  #afterComments(lines: readonly string[], indent: string): string[] {
    const place = lines.findIndex((line) => !/^\s*#/.test(line));
    return lines.map((line, index) => (index === place ? `${indent}- ${line.trimStart()}` : line));
  }

  #scalar(scalar: Scalar, start: string, { indent, path }: Place): string[] {
    // A comment between a key and its value is moved before the key.
    const before = commentLines(scalar.commentBefore, indent.slice(2));
    const comment = trailingComment(scalar);
    const { value } = scalar;
    const spelling = this.#spelling(scalar);
    if (typeof value !== 'string') return [...before, `${start} ${spelling ?? JSON.stringify(value)}${comment}`];
    const isBlock = scalar.type === 'BLOCK_LITERAL' || (spelling === undefined && value.includes('\n'));
    if (isBlock && canBeLiteral(value)) {
      const { header, lines } = writeLiteral(isSql(path) ? trimSqlLines(value) : value, indent);
      return [...before, `${start} ${header}${comment}`, ...lines];
    }
    const line = spelling ?? writeText(value, false);
    const isLong = `${start} ${line}`.length > LINE_WIDTH;
    const canFold = isLong && (spelling === undefined || PROSE.has(String(path.at(-1))));
    const folded = canFold ? foldText(value, indent) : undefined;
    if (folded === undefined) return [...before, `${start} ${line}${comment}`];
    return [...before, `${start} >-${comment}`, ...folded];
  }

  /** Writes a collection on one line. Returns undefined if it contains comments or texts of several lines. */
  #flow(value: Node, path: Path): string | undefined {
    if (isSeq(value)) {
      const texts = this.#texts(value, path);
      return texts.every((text) => text !== undefined) ? `[${texts.join(', ')}]` : undefined;
    }
    const pairs = sortKeys((value as YAMLMap).items as Pair<Scalar, Node>[], (pair) => keyOf(pair), this.#order(path));
    const texts = pairs.map((pair) => {
      if (hasComment(pair.key)) return undefined;
      const text = pair.value === null ? '' : this.#inFlow(pair.value as Node, [...path, keyOf(pair)]);
      return text === undefined ? undefined : `${writeText(keyOf(pair), true)}: ${text}`.trimEnd();
    });
    if (texts.some((text) => text === undefined)) return undefined;
    return texts.length === 0 ? '{}' : `{ ${texts.join(', ')} }`;
  }

  #texts({ items }: YAMLSeq, path: Path): (string | undefined)[] {
    return (items as Node[]).map((item, index) => this.#inFlow(item, [...path, index]));
  }

  #inFlow(value: Node, path: Path): string | undefined {
    if (hasComment(value)) return undefined;
    if (!isScalar(value)) return this.#flow(value, path);
    const { value: content, type } = value;
    const isFromBlock = type === 'PLAIN' && typeof content === 'string' && /[,[\]{}]/.test(content);
    const spelling = isFromBlock ? undefined : this.#spelling(value);
    if (spelling !== undefined) return spelling;
    if (typeof content !== 'string') return JSON.stringify(content);
    return content.includes('\n') ? undefined : writeText(content, true);
  }

  /** Returns the source text of a scalar; undefined if it has several lines or is new. */
  #spelling({ range, type }: Scalar): string | undefined {
    if (range === undefined || range === null || type === undefined || type.startsWith('BLOCK')) return undefined;
    const text = this.#source.slice(range[0], range[1]);
    return text.includes('\n') ? undefined : text;
  }
}

interface Place {
  readonly indent: string;
  readonly path: Path;
}

/** Keys whose long values are folded into several lines. */
const PROSE = new Set(['description', 'summary']);

/** Whether the value at a path is SQL. */
function isSql(path: Path): boolean {
  return (
    ['sql', 'data_as_of', 'computed_at'].includes(String(path.at(-1))) || (path[0] === 'views' && path.length === 2)
  );
}

/** Whether the value at a path is an item of `columns`, which is always on one line. */
function isRow(path: Path): boolean {
  return path[0] === 'columns' && typeof path.at(-1) === 'number';
}

/** Whether a collection is written on one line: the author wrote it so, or it is new or empty. */
function isFlowPlace(value: Node): boolean {
  const { flow, items } = value as YAMLMap;
  return flow === true || items.length === 0;
}

/** Writes a long list of scalars in several lines between brackets. */
function fill(texts: readonly (string | undefined)[], indent: string): string[] {
  const lines: string[] = [];
  let line = `${indent}[ `;
  texts.forEach((text, index) => {
    const piece = `${text}${index === texts.length - 1 ? ' ]' : ','}`;
    if (line.trim() !== '[' && line.trim() !== '' && line.length + piece.length > LINE_WIDTH) {
      lines.push(line.trimEnd());
      line = `${indent}  `;
    }
    line += `${piece} `;
  });
  return [...lines, line.trimEnd()];
}

function keyOf({ key }: Pair<Scalar, Node>): string {
  return String(key.value);
}

function hasComment(node: Node): boolean {
  return [node.commentBefore, node.comment].some((comment) => typeof comment === 'string' && comment !== '');
}

function commentLines(comment: string | null | undefined, indent: string): string[] {
  if (comment === null || comment === undefined) return [];
  return comment.split('\n').map((line) => (line === '' ? '' : `${indent}#${line.trimEnd()}`));
}

function trailingComment({ comment }: Node): string {
  return comment === null || comment === undefined ? '' : ` #${comment.split('\n').join(' ').trimEnd()}`;
}
