import { translator } from '../duckdb/expression.js';
import { isKeywordArgument, readCall } from '../duckdb/tree/function-names.js';
import { integerValue } from '../duckdb/tree/literals.js';
import { child, type Fields, type Node } from '../reading/tree.js';
import { reject } from './rejection.js';
import type { Column, Scope } from './scope.js';

/**
 * The maximum number of characters of a text in a public table. The longest texts are in `contributor_logins`, which
 * contains five logins.
 */
export const MAX_COLUMN_LENGTH = 512;
/** The maximum number of characters of a text that an expression may create. */
const MAX_TEXT_LENGTH = 16_384;
/** The maximum number of characters of all texts that the expressions of a query may create per row. */
const MAX_TOTAL_LENGTH = 65_536;
/** The maximum number of expressions in a query that change a text without a known maximum length. */
const MAX_UNBOUNDED_CHANGES = 8;
/** The maximum number of characters of a number or a date as text. */
const MAX_NUMBER_LENGTH = 80;

/**
 * Rejects expressions whose values could be too long, such as nested CONCATs over several derived tables. The
 * embedded database computes 2,048 values of an expression at a time. The memory limit of the database does not include
 * these values, and the database cannot stop a query while it computes them.
 *
 * The length of an expression is the maximum number of characters that its columns and literals allow. GROUP_CONCAT and
 * JSON_ARRAYAGG return a text without a known maximum length. A query may return such a text or truncate it with LEFT.
 * The query may also change or search the text, unless a join, window or subquery repeats it.
 */
export class TextGrowth {
  #totalLength = 0;
  #unboundedChanges = 0;
  readonly #subqueries = new WeakMap<Fields, readonly Column[]>();

  /** Stores the columns of a subquery for the later check of the expression that contains it. */
  keepSubquery(query: Node, columns: readonly Column[]): void {
    this.#subqueries.set(query.fields, columns);
  }

  /** Returns the output column for an expression of the select list. `name` is the name of the output column. */
  outputColumn(name: string, node: Node, scope: Scope): Column {
    const passed = this.#findUnchangedColumn(node, scope);
    return {
      name,
      maxLength: passed?.maxLength ?? this.maxLength(node, scope),
      isRepeated: passed?.isRepeated ?? false,
    };
  }

  /** Rejects repeated texts without a known maximum length in a grouped query, because each group would keep a copy. */
  requireGroupable(columns: readonly Column[]): void {
    for (const column of columns) requireUsable(column, 'GROUP', undefined);
  }

  /** Returns the maximum length of the text of an expression, and checks each part of the expression. */
  maxLength(node: Node, scope: Scope): number {
    if (node.kind === 'literal') return literalLength(node);
    const passed = this.#findUnchangedColumn(node, scope);
    if (passed !== undefined) return requireUsable(passed, '', node.fields);
    const length = this.#maxComputedLength(node, scope);
    if (RESULTS_WITHOUT_TEXT.has(translator.result(node))) return MAX_NUMBER_LENGTH;
    if (length === Number.POSITIVE_INFINITY && !(node.kind in UNBOUNDED_AGGREGATES)) this.#countUnboundedChange(node);
    return length;
  }

  #maxComputedLength(node: Node, scope: Scope): number {
    const called = readCall(node);
    if (called !== undefined) return this.#maxCallLength(called.name, called.args, scope);
    const length = Math.max(MAX_NUMBER_LENGTH, this.#maxLengthInside(Object.values(node.fields), scope));
    const aggregate = UNBOUNDED_AGGREGATES[node.kind];
    if (aggregate !== undefined) requireBounded(aggregate, length, node);
    if (node.kind === 'window_function') requireBounded('OVER', length, node);
    return aggregate === undefined ? length : Number.POSITIVE_INFINITY;
  }

  /**
   * If the expression returns the value of a column or of a subquery without a change, returns this column. Otherwise
   * returns undefined.
   */
  #findUnchangedColumn(node: Node, scope: Scope): Column | undefined {
    if (node.kind === 'column') return scope.column(node.fields);
    if (node.kind === 'paren') return this.#findUnchangedColumn(child(node, 'this'), scope);
    const columns = this.#subqueries.get(node.fields);
    if (columns === undefined) return undefined;
    // Even if the subquery runs only once, several rows of the outer query can contain its value.
    const maxLength = Math.max(0, ...columns.map((column) => column.maxLength));
    return { name: 'this subquery', maxLength, isRepeated: true };
  }

  /**
   * Returns the maximum length over all parts of a tree. A node of the tree is an object whose only key is the kind of
   * the node.
   */
  #maxLengthInside(tree: unknown, scope: Scope): number {
    if (typeof tree !== 'object' || tree === null) return 0;
    const parts = Object.values(tree);
    const [kind = ''] = Object.keys(tree);
    const [fields] = parts;
    const isNode = parts.length === 1 && !Array.isArray(tree) && kind !== 'this';
    if (isNode && typeof fields === 'object' && fields !== null && !Array.isArray(fields)) {
      return this.maxLength({ kind, fields: fields as Fields }, scope);
    }
    return Math.max(0, ...parts.map((part) => this.#maxLengthInside(part, scope)));
  }

  #maxCallLength(name: string, args: readonly Node[], scope: Scope): number {
    if (name === 'LEFT' && args[0] !== undefined) return this.#maxLeftLength(args[0], args[1], scope);
    const lengths = args.filter((_, index) => !isKeywordArgument(name, index)).map((arg) => this.maxLength(arg, scope));
    const all = lengths.reduce((sum, length) => sum + length, 0);
    const [first = 0, second = 0, third = 0] = lengths;
    switch (name) {
      case 'CONCAT':
      case 'INSERT':
        return this.#addText(name, all, args);
      case 'JSON_ARRAY':
      case 'JSON_OBJECT':
        // A control character becomes an escape of six characters, and each value gets a separator and quotes.
        return this.#addText(name, all * 6 + 4 * args.length, args);
      case 'CONCAT_WS':
        return this.#addText(name, all + first * args.length, args);
      case 'HEX':
      case 'TO_BASE64':
        return this.#addText(name, first * MAX_HEX_DIGITS, args);
      case 'REPLACE':
        return this.#addText(name, (first + 1) * Math.max(1, third), args);
      case 'REGEXP_REPLACE':
        // An empty pattern matches before and after each character, and the replacement may repeat the match.
        return this.#addText(name, (first + 1) * (third + 1), args);
      case 'REPEAT':
        return this.#addText(name, first * readLiteralCount(name, args, 1), args);
      case 'SPACE':
        return this.#addText(name, readLiteralCount(name, args, 0), args);
      case 'LPAD':
      case 'RPAD':
        return this.#addText(name, readLiteralCount(name, args, 1), args);
      case 'CRC32':
        // The calculation needs many bytes of memory for each byte of the text.
        this.#addText(name, all * CHECKSUM_WEIGHT, args);
        return MAX_NUMBER_LENGTH;
      case 'JSON_EXTRACT':
      case 'JSON_KEYS':
        // The result has a space after each comma and colon.
        return all < Number.POSITIVE_INFINITY ? this.#addText(name, all * 2, args) : all;
      case 'BIN':
      case 'CONV':
      case 'OCT':
        return Math.max(MAX_BINARY_DIGITS, ...lengths);
      case 'JSON_QUOTE':
        // A control character becomes an escape of six characters.
        return this.#addText(name, all * 6 + 2, args);
      case 'DATE_FORMAT':
      case 'TIME_FORMAT':
      case 'FROM_UNIXTIME':
        return this.#addText(name, second * MAX_NUMBER_LENGTH, args);
      case 'RIGHT':
        return Math.min(first, readLimit(args[1]));
      case 'SUBSTRING':
        return Math.min(first, readLimit(args[2]));
      default:
        return Math.max(MAX_NUMBER_LENGTH, ...lengths);
    }
  }

  /** Returns the maximum length of the result of LEFT, which reads only the characters that it returns. */
  #maxLeftLength(text: Node, count: Node | undefined, scope: Scope): number {
    if (count !== undefined) this.maxLength(count, scope);
    const most = readLimit(count);
    if (most > MAX_TEXT_LENGTH) return Math.min(most, this.maxLength(text, scope));
    return Math.min(most, this.#findUnchangedColumn(text, scope)?.maxLength ?? this.maxLength(text, scope));
  }

  #countUnboundedChange(node: Node): void {
    if (++this.#unboundedChanges > MAX_UNBOUNDED_CHANGES) {
      reject(
        `more than ${MAX_UNBOUNDED_CHANGES} expressions change a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length: truncate it with LEFT first`,
        '',
        node.fields,
      );
    }
  }

  #addText(name: string, length: number, args: readonly Node[]): number {
    requireBounded(name, length, args);
    if (length > MAX_TEXT_LENGTH) {
      reject(`${name} may return a text of ${length} characters; at most ${MAX_TEXT_LENGTH} are allowed`, name, args);
    }
    this.#totalLength += length;
    if (this.#totalLength > MAX_TOTAL_LENGTH)
      reject(`the texts of one row may together exceed ${MAX_TOTAL_LENGTH} characters`, name, args);
    return length;
  }
}

const CHECKSUM_WEIGHT = 32;

/** The number of digits of a 64-bit number in base 2. */
const MAX_BINARY_DIGITS = 64;

/**
 * The maximum number of digits that HEX returns per character: two digits per byte, and up to four bytes per character.
 */
const MAX_HEX_DIGITS = 8;

/** Aggregates whose texts have no known maximum length, by kind of node. */
const UNBOUNDED_AGGREGATES: Readonly<Record<string, string>> = {
  group_concat: 'GROUP_CONCAT',
  j_s_o_n_array_agg: 'JSON_ARRAYAGG',
};

const RESULTS_WITHOUT_TEXT: ReadonlySet<string> = new Set(['number', 'date', 'datetime', 'time']);

function literalLength({ fields }: Node): number {
  return fields.literal_type === 'number' ? MAX_NUMBER_LENGTH : String(fields.value).length;
}

/** Returns the maximum length of a column. Rejects a repeated column without a known maximum length. */
function requireUsable({ name, maxLength, isRepeated }: Column, word: string, tree: unknown): number {
  if (isRepeated && maxLength === Number.POSITIVE_INFINITY) {
    reject(
      `${name} is a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length, and more than one row may contain it: truncate it with LEFT first`,
      word,
      tree,
    );
  }
  return maxLength;
}

function requireBounded(name: string, length: number, tree: unknown): void {
  if (length < Number.POSITIVE_INFINITY) return;
  reject(
    `${name} gets a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length: truncate it with LEFT first`,
    name,
    tree,
  );
}

/** Returns an argument that is a count. The argument must be a literal, because the guard has to know its value. */
function readLiteralCount(name: string, args: readonly Node[], index: number): number {
  const node = args[index];
  const count = node === undefined ? undefined : integerValue(node);
  return count === undefined
    ? reject(`the count of ${name} must be a literal integer`, name, args)
    : Math.max(0, count);
}

/** Returns the number of a literal, or infinity for any other expression. */
function readLimit(node: Node | undefined): number {
  const count = node === undefined ? undefined : integerValue(node);
  return count === undefined ? Number.POSITIVE_INFINITY : Math.max(0, count);
}
