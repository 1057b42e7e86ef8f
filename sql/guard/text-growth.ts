import { translator } from '../duckdb/expression.js';
import { calledFunction, isWord } from '../duckdb/tree/function-names.js';
import { integerValue } from '../duckdb/tree/literals.js';
import { child, type Fields, type Node } from '../duckdb/tree/tree.js';
import { refuse } from './rejection.js';
import type { Column, Scope } from './scope.js';

/** The longest text of a public table; `contributor_logins` holds five logins. */
export const LONGEST_COLUMN = 512;
/** The longest text that an expression may make. */
const MAX_TEXT = 16_384;
/** All texts that the expressions of a query may make of one row. */
const MAX_TEXTS = 65_536;
/** Expressions of a query that may change a text without a known bound. */
const MAX_CHANGES = 8;
/** The most characters of a number or a date as text. */
const LONGEST_NUMBER = 80;

/**
 * Refuses expressions whose texts could grow beyond bounds, such as a CONCAT of a CONCAT in table within table: the embedded
 * database makes 2,048 values of an expression at a time, and neither counts their memory nor can be stopped between them.
 * The sizes are the most characters that columns and literals allow. GROUP_CONCAT and JSON_ARRAYAGG give a text without a
 * known bound. It may be shown, and cut by LEFT; where no join, window or subquery repeats it, also changed and searched.
 */
export class TextGrowth {
  #made = 0;
  #changed = 0;
  readonly #subqueries = new WeakMap<Fields, readonly Column[]>();

  /** Keeps what a subquery gives, for the expression around it. */
  keep(query: Node, columns: readonly Column[]): void {
    this.#subqueries.set(query.fields, columns);
  }

  /** The column of that name that an expression gives where it is shown as it is. */
  shown(name: string, node: Node, scope: Scope): Column {
    const passed = this.#passed(node, scope);
    return { name, longest: passed?.longest ?? this.longest(node, scope), repeated: passed?.repeated ?? false };
  }

  /** Each group would keep a copy of what it shows. */
  group(columns: readonly Column[]): void {
    for (const column of columns) usable(column, 'GROUP', undefined);
  }

  /** The longest text that an expression gives. Each part of it is checked. */
  longest(node: Node, scope: Scope): number {
    if (node.kind === 'literal') return literalLength(node);
    const passed = this.#passed(node, scope);
    if (passed !== undefined) return usable(passed, '', node.fields);
    const length = this.#computed(node, scope);
    if (TEXTLESS.has(translator.result(node))) return LONGEST_NUMBER;
    if (length === Number.POSITIVE_INFINITY && !(node.kind in UNBOUNDED)) this.#change(node);
    return length;
  }

  #computed(node: Node, scope: Scope): number {
    const called = calledFunction(node);
    if (called !== undefined) return this.#call(called.name, called.args, scope);
    const length = Math.max(LONGEST_NUMBER, this.#inside(Object.values(node.fields), scope));
    const aggregate = UNBOUNDED[node.kind];
    if (aggregate !== undefined) requireBounded(aggregate, length, node);
    if (node.kind === 'window_function') requireBounded('OVER', length, node);
    return aggregate === undefined ? length : Number.POSITIVE_INFINITY;
  }

  /** A text that the expression neither makes nor changes: a column, or the only column of a subquery. */
  #passed(node: Node, scope: Scope): Column | undefined {
    if (node.kind === 'column') return scope.column(node.fields);
    if (node.kind === 'paren') return this.#passed(child(node, 'this'), scope);
    const columns = this.#subqueries.get(node.fields);
    if (columns === undefined) return undefined;
    // It runs once, or once for each row around it; its value is repeated either way.
    const longest = Math.max(0, ...columns.map((column) => column.longest));
    return { name: 'this subquery', longest, repeated: true };
  }

  /** The longest text of any part of a tree: a node is an object of its kind and its fields. */
  #inside(tree: unknown, scope: Scope): number {
    if (typeof tree !== 'object' || tree === null) return 0;
    const parts = Object.values(tree);
    const [kind = ''] = Object.keys(tree);
    const [fields] = parts;
    const isNode = parts.length === 1 && !Array.isArray(tree) && kind !== 'this';
    if (isNode && typeof fields === 'object' && fields !== null && !Array.isArray(fields)) {
      return this.longest({ kind, fields: fields as Fields }, scope);
    }
    return Math.max(0, ...parts.map((part) => this.#inside(part, scope)));
  }

  #call(name: string, args: readonly Node[], scope: Scope): number {
    if (name === 'LEFT' && args[0] !== undefined) return this.#cut(args[0], args[1], scope);
    const values = args.filter((_, place) => !isWord(name, place));
    const lengths = values.map((arg) => this.longest(arg, scope));
    const all = lengths.reduce((sum, length) => sum + length, 0);
    const [first = 0, second = 0, third = 0] = lengths;
    switch (name) {
      case 'CONCAT':
        return this.#make(name, all, args);
      case 'JSON_ARRAY':
      case 'JSON_OBJECT':
        // Each quote and backslash gets a backslash before it.
        return this.#make(name, all * 2, args);
      case 'CONCAT_WS':
        return this.#make(name, all + first * args.length, args);
      case 'HEX':
        // Two digits for each of up to four bytes.
        return this.#make(name, first * 8, args);
      case 'INSERT':
        return this.#make(name, all, args);
      case 'REPLACE':
        return this.#make(name, (first + 1) * Math.max(1, third), args);
      case 'REGEXP_REPLACE':
        // An empty pattern matches before and after every character, and the replacement may repeat the match.
        return this.#make(name, (first + 1) * (third + 1), args);
      case 'REPEAT':
        return this.#make(name, first * times(name, args, 1), args);
      case 'SPACE':
        return this.#make(name, times(name, args, 0), args);
      case 'LPAD':
      case 'RPAD':
        return this.#make(name, times(name, args, 1), args);
      case 'DATE_FORMAT':
      case 'FROM_UNIXTIME':
        return this.#make(name, second * LONGEST_NUMBER, args);
      case 'RIGHT':
        return Math.min(first, atMost(args[1]));
      case 'SUBSTRING':
        return Math.min(first, atMost(args[2]));
      default:
        return Math.max(LONGEST_NUMBER, ...lengths);
    }
  }

  /** LEFT looks at no more characters than it gives. */
  #cut(text: Node, count: Node | undefined, scope: Scope): number {
    if (count !== undefined) this.longest(count, scope);
    const most = atMost(count);
    if (most > MAX_TEXT) return Math.min(most, this.longest(text, scope));
    return Math.min(most, this.#passed(text, scope)?.longest ?? this.longest(text, scope));
  }

  #change(node: Node): void {
    if (++this.#changed > MAX_CHANGES) {
      refuse(
        `more than ${MAX_CHANGES} expressions change a text that is as long as a GROUP_CONCAT or JSON_ARRAYAGG makes it: cut it with LEFT first`,
        '',
        node.fields,
      );
    }
  }

  #make(name: string, length: number, args: readonly Node[]): number {
    requireBounded(name, length, args);
    if (length > MAX_TEXT) {
      refuse(`${name} may make a text of ${length} characters; at most ${MAX_TEXT} are allowed`, name, args);
    }
    this.#made += length;
    if (this.#made > MAX_TEXTS)
      refuse(`the texts of a row may have more than ${MAX_TEXTS} characters together`, name, args);
    return length;
  }
}

/** Aggregates whose texts have no known bound. */
const UNBOUNDED: Readonly<Record<string, string>> = {
  group_concat: 'GROUP_CONCAT',
  j_s_o_n_array_agg: 'JSON_ARRAYAGG',
};

const TEXTLESS: ReadonlySet<string> = new Set(['number', 'date', 'datetime', 'time']);

function literalLength({ fields }: Node): number {
  return fields.literal_type === 'number' ? LONGEST_NUMBER : String(fields.value).length;
}

function usable({ name, longest, repeated }: Column, word: string, tree: unknown): number {
  if (repeated && longest === Number.POSITIVE_INFINITY) {
    refuse(
      `${name} is as long as a GROUP_CONCAT or JSON_ARRAYAGG makes it, and more than one row may hold it: cut it with LEFT first`,
      word,
      tree,
    );
  }
  return longest;
}

function requireBounded(name: string, length: number, tree: unknown): void {
  if (length < Number.POSITIVE_INFINITY) return;
  refuse(
    `${name} of a text that is as long as a GROUP_CONCAT or JSON_ARRAYAGG makes it: cut it with LEFT first`,
    name,
    tree,
  );
}

/** The count of a repetition, or of characters; it must be a literal, so that it is known. */
function times(name: string, args: readonly Node[], place: number): number {
  const node = args[place];
  const count = node === undefined ? undefined : integerValue(node);
  return count === undefined
    ? refuse(`the count of ${name} is a literal whole number`, name, args)
    : Math.max(0, count);
}

function atMost(node: Node | undefined): number {
  const count = node === undefined ? undefined : integerValue(node);
  return count === undefined ? Number.POSITIVE_INFINITY : Math.max(0, count);
}
