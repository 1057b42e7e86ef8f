import { NOT_CODE } from '../reading/lexemes.js';

/** A word, a sign or a literal of a query, with the spaces and comments before it. */
export interface Token {
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'marker' | 'sign';
  readonly gap: string;
  readonly text: string;
}

/** The content of a pair of parentheses. */
export interface Parentheses extends Group {
  readonly kind: 'parentheses';
}

/** The content of CASE … END. */
export interface Case extends Group {
  readonly kind: 'case';
}

interface Group {
  readonly gap: string;
  readonly open: string;
  readonly items: readonly Piece[];
  readonly close: string;
}

/** A call with its arguments. A window function also has OVER and the window. */
export interface Call {
  readonly kind: 'call';
  readonly gap: string;
  readonly name: string;
  readonly group: Parentheses;
  readonly over: readonly Piece[];
}

/** A part of a query: a token or a group. */
export type Piece = Token | Parentheses | Case | Call;

/** Reads the pieces of a text. The text must be one valid SELECT. */
export function readPieces(sql: string): readonly Piece[] {
  const tokens = [...sql.matchAll(TOKEN)].map(tokenOf).filter(({ text, gap }) => text !== '' || gap !== '');
  return readGroup(tokens[Symbol.iterator](), undefined).items;
}

/** Returns the word in capital letters, or undefined if the piece is not a word. */
export function wordOf(piece: Piece | undefined): string | undefined {
  return piece?.kind === 'word' ? piece.text.toUpperCase() : undefined;
}

/** Words that can precede a parenthesis and are not the name of a function. */
export const NOT_A_FUNCTION = new Set(
  `SELECT DISTINCT ALL FROM JOIN INNER CROSS OUTER NATURAL STRAIGHT_JOIN ON USING WHERE GROUP BY HAVING WINDOW ORDER LIMIT OFFSET UNION INTERSECT
  EXCEPT WITH RECURSIVE AS VALUES LATERAL AND OR XOR NOT IN IS BETWEEN LIKE RLIKE REGEXP EXISTS ANY SOME CASE WHEN THEN ELSE DIV OVER INTERVAL
  ESCAPE SEPARATOR ROWS RANGE ASC DESC NULL TRUE FALSE BINARY OF`.split(/\s+/),
);

const TOKEN = new RegExp(
  [
    /(?<gap>(?:\s|\/\*.*?\*\/|#[^\n]*|--(?=\s|$)[^\n]*)*)/.source,
    [
      `(?<quoted>${NOT_CODE})`,
      /(?<marker>:p\d+)/.source,
      /(?<number>0x[0-9a-f]+|(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)/.source,
      /(?<word>[a-z_$@\u0080-\uffff][\w$@\u0080-\uffff]*)/.source,
      /(?<sign><=>|->>|->|<=|>=|<>|!=|<<|>>|&&|\|\||.|$)/.source,
    ].join('|'),
  ]
    .join('(?:')
    .concat(')'),
  'gis',
);

function tokenOf({ groups = {} }: RegExpMatchArray): Token {
  const { gap = '', quoted, marker, number, word, sign = '' } = groups;
  if (quoted !== undefined) return { kind: quoted.startsWith('`') ? 'name' : 'text', gap, text: quoted };
  if (marker !== undefined) return { kind: 'marker', gap, text: marker };
  if (number !== undefined) return { kind: 'number', gap, text: number };
  return word === undefined ? { kind: 'sign', gap, text: sign } : { kind: 'word', gap, text: word };
}

/** Reads the pieces up to the token that closes the group. Returns them and this token. */
function readGroup(tokens: Iterator<Token>, closing: ')' | 'END' | undefined): { items: Piece[]; close: string } {
  const items: Piece[] = [];
  for (let next = tokens.next(); !next.done; next = tokens.next()) {
    const token = next.value;
    const word = wordOf(token) ?? (token.kind === 'sign' ? token.text : undefined);
    if (word !== undefined && word === closing && !isAfterDot(items)) return { items, close: token.gap + token.text };
    if (word === '(') addParentheses(items, { ...token, kind: 'parentheses', open: '(', ...readGroup(tokens, ')') });
    else if (word === 'CASE' && !isAfterDot(items))
      items.push({ kind: 'case', gap: token.gap, open: token.text, ...readGroup(tokens, 'END') });
    else addToken(items, token);
  }
  return { items, close: '' };
}

function addParentheses(items: Piece[], group: Parentheses): void {
  const before = items.at(-1);
  const word = wordOf(before);
  if (before?.kind === 'word' && word !== undefined && !NOT_A_FUNCTION.has(word)) {
    items.pop();
    items.push({ kind: 'call', gap: before.gap, name: before.text, group, over: [] });
  } else {
    addWindow(items, group);
  }
}

function addToken(items: Piece[], token: Token): void {
  if (token.kind === 'word' || token.kind === 'name') addWindow(items, token);
  else items.push(token);
}

/** Adds a piece. A window after OVER is added to the call before OVER. */
function addWindow(items: Piece[], window: Piece): void {
  const over = items.at(-1);
  const call = items.at(-2);
  if (over === undefined || wordOf(over) !== 'OVER' || call?.kind !== 'call') items.push(window);
  else items.splice(-2, 2, { ...call, over: [over, window] });
}

function isAfterDot(items: readonly Piece[]): boolean {
  const before = items.at(-1);
  return before?.kind === 'sign' && before.text === '.';
}
