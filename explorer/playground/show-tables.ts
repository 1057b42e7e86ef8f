import type { Cell, ResultSet } from '../../engine/index.js';
import { MAX_ROWS } from '../../engine/sql/guard/guard-sql.js';
import { SqlRejectedError } from '../../engine/sql/guard/rejection.js';
import { maskNonCode } from '../../engine/sql/reading/lexemes.js';
import { RESERVED_WORDS } from '../../engine/sql/reading/reserved-words.js';
import { type SqlToken, sqlTokens } from '../../engine/sql/reading/statement.js';
import { findTable, type TableReferences, UnknownTableError } from '../../warehouse/reference/find-table.js';

/**
 * Answers `SHOW TABLES`, `SHOW COLUMNS` and `DESCRIBE` from the table reference, so that only public tables and columns appear. The
 * function runs no query. Returns undefined for other SQL. Throws `SqlRejectedError`.
 */
export function showTables(sql: string, reference: TableReferences): ResultSet | undefined {
  const statement = readShowStatement(sql);
  if (statement === undefined) return undefined;
  if (statement.kind === 'columns') return showColumns(statement, reference);
  const { like } = statement;
  const tables = [...reference].filter(([name]) => like === undefined || isLike(name, like));
  return resultOf(
    ['name', 'description'],
    tables.map(([key, { name = key, description }]) => [name, description]),
  );
}

function showColumns({ table, at }: { readonly table: string; readonly at: number }, reference: TableReferences) {
  const [, { columns }] = findPublicTable(table, at, reference);
  return resultOf(
    ['name', 'type', 'unit', 'description'],
    [...columns].map(([name, { type, unit = null, description }]) => [name, type, unit, description]),
  );
}

function findPublicTable(table: string, at: number, reference: TableReferences) {
  try {
    return findTable(reference, table);
  } catch (error) {
    if (!(error instanceof UnknownTableError)) throw error;
    throw new SqlRejectedError(error.message, at);
  }
}

function resultOf(names: readonly string[], rows: readonly (readonly Cell[])[]): ResultSet {
  const columns = names.map((name) => ({ name, type: 'VARCHAR' }));
  return { columns, rows: rows.slice(0, MAX_ROWS), more: rows.length > MAX_ROWS };
}

/**
 * Whether a name matches a LIKE pattern, case-insensitively: `%` is any text, `_` is one character, and a backslash escapes them. A regular
 * expression is not used, because it would be very slow for some patterns.
 */
function isLike(name: string, pattern: string): boolean {
  let ends: readonly number[] = [0];
  for (const part of pattern.toLowerCase().match(/\\?[\s\S]/gu) ?? []) {
    const [first = name.length + 1] = ends;
    const plain = part.length > 1 ? part.slice(1) : part;
    const fits = (at: number) => at < name.length && (part === '_' || name.startsWith(plain, at));
    ends =
      part === '%'
        ? Array.from({ length: name.length + 1 - first }, (_, index) => first + index)
        : ends.filter(fits).map((at) => at + 1);
  }
  return ends.includes(name.length);
}

/** A parsed statement. `at` is the position of the table name in the SQL. `like` is the LIKE pattern. */
type ShowStatement =
  | { readonly kind: 'tables'; readonly like: string | undefined }
  | { readonly kind: 'columns'; readonly table: string; readonly at: number };

/**
 * Parses `SHOW TABLES [LIKE 'pattern']`, `SHOW COLUMNS FROM table`, `DESCRIBE table` or `DESC table`. Returns undefined for SQL that starts
 * with another word. Throws `SqlRejectedError` for other forms of these statements.
 */
function readShowStatement(sql: string): ShowStatement | undefined {
  // Fast path: most SQL is a SELECT and need not be split into words.
  if (!/^\s*(SHOW|DESCRIBE|DESC)\b/i.test(maskNonCode(sql))) return undefined;
  const words = new Words(sql);
  const first = words.take('SHOW', 'DESCRIBE', 'DESC');
  if (first === undefined) return undefined;
  if (first !== 'SHOW') return readColumns(words, first);
  const what = words.take('TABLES', 'COLUMNS') ?? words.reject('expected TABLES or COLUMNS after SHOW');
  if (what === 'TABLES') return { kind: 'tables', like: readPattern(words) };
  if (words.take('FROM') === undefined) words.reject('expected FROM and a table after SHOW COLUMNS');
  return readColumns(words, 'SHOW COLUMNS FROM');
}

function readColumns(words: Words, statement: string): ShowStatement {
  const { position: at } = words;
  const table = words.takeName() ?? words.reject(`expected the name of a table after ${statement}`);
  words.requireEnd(`expected the end of the statement after the name of the table`);
  return { kind: 'columns', table, at };
}

function readPattern(words: Words): string | undefined {
  if (words.take('LIKE') === undefined) {
    words.requireEnd(`expected LIKE 'pattern' or the end of the statement after SHOW TABLES`);
    return undefined;
  }
  const pattern = words.takeText() ?? words.reject(`expected a pattern in quotes after LIKE, such as 'mv_repo%'`);
  words.requireEnd('expected the end of the statement after the pattern');
  return pattern;
}

/** The words of a statement, from left to right. */
class Words {
  readonly #words: readonly SqlToken[];
  readonly #end: number;
  #next = 0;

  constructor(sql: string) {
    this.#words = sqlTokens(sql);
    this.#end = sql.length;
  }

  /** The position of the next word. */
  get position(): number {
    return this.#words[this.#next]?.start ?? this.#end;
  }

  /** Consumes the next word if it is one of these keywords, case-insensitively. */
  take<T extends string>(...keywords: readonly T[]): T | undefined {
    const word = this.#words[this.#next]?.word;
    const found = keywords.find((keyword) => keyword === word);
    if (found !== undefined) this.#next += 1;
    return found;
  }

  takeName(): string | undefined {
    const { text = '' } = this.#words[this.#next] ?? {};
    const name = /^`[^`]+`$/.test(text) ? text.slice(1, -1) : text;
    if (name === text && (!/^[\p{L}_][\p{L}\d_]*$/u.test(text) || RESERVED_WORDS.has(text.toUpperCase())))
      return undefined;
    this.#next += 1;
    return name;
  }

  takeText(): string | undefined {
    const { text = '' } = this.#words[this.#next] ?? {};
    const quote = text.charAt(0);
    if (quote !== "'" && quote !== '"') return undefined;
    this.#next += 1;
    return text.slice(1, -1).replaceAll(quote + quote, quote);
  }

  requireEnd(expected: string): void {
    if (this.#words[this.#next]?.text === ';') this.#next += 1;
    if (this.#next < this.#words.length) this.reject(expected);
  }

  /** Throws an error about the next word. */
  reject(expected: string): never {
    const { text = 'the end' } = this.#words[this.#next] ?? {};
    const got = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
    throw new SqlRejectedError(`${expected}, got ${got}`, this.position);
  }
}

const MAX_SHOWN = 40;
