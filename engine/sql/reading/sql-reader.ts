import { findLexicalFault, maskNonCode } from './lexemes.js';
import { Dialect, parse, tokenize, validate } from './parser.js';
import { findPrivateReads, type PrivateData } from './private-data.js';
import { RESERVED_WORDS } from './reserved-words.js';
import { inspectQuery, type QueryFindings } from './sql-findings.js';

/** The findings about one text. If the text cannot be read: the reason, and the offsets of the fault. */
export type SqlReading =
  | { readonly findings: QueryFindings }
  | { readonly message: string; readonly start: number; readonly end: number };

/** Reads one text. */
export type SqlReader = (sql: string) => SqlReading;

/**
 * Creates a reader that parses equal texts only once. Create one reader per load of the definitions. With `privateData` the reader
 * rejects reads of private data.
 */
export function createSqlReader(privateData?: PrivateData): SqlReader {
  const readings = new Map<string, SqlReading>();
  return (sql) => {
    const known = readings.get(sql);
    if (known !== undefined) return known;
    const reading = readSql(sql, privateData);
    readings.set(sql, reading);
    return reading;
  };
}

/** A token of SQL and its offsets. */
export interface SqlToken {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Returns the tokens of a text without comments, or an empty list if the text cannot be read. */
export function sqlTokens(sql: string): SqlToken[] {
  const { tokens } = tokenize(maskNonCode(sql), DIALECT);
  return (tokens ?? []).map(({ text, span }) => ({ text, ...toOffsets(sql, span.start, span.end) }));
}

const DIALECT = Dialect.MySQL;
/** The parser accepts a comma before these words; databases do not. */
const TRAILING_COMMA = /,\s*(FROM|WHERE|GROUP|ORDER|HAVING|LIMIT|UNION|\))/i;

/** The names that the parser gives to signs. */
const SIGN_NAMES: Readonly<Record<string, string>> = {
  LParen: '(',
  RParen: ')',
  Comma: ',',
  Dot: '.',
  Eq: '=',
  Colon: ':',
};

function readSql(sql: string, privateData: PrivateData | undefined): SqlReading {
  const fault = findLexicalFault(sql);
  if (fault !== undefined) return { ...fault, end: fault.start };
  const code = maskNonCode(sql);
  const parsed = parse(code, DIALECT);
  if (!parsed.success || parsed.ast === undefined) {
    const place = toOffsets(sql, parsed.errorStart ?? 0, parsed.errorEnd ?? 0);
    return { message: `not SQL: ${explainParseError(parsed.error, sql, place)}`, ...place };
  }
  const comma = code.search(TRAILING_COMMA);
  if (comma >= 0 && validate(code, DIALECT, { strictSyntax: true }).errors.some(({ code }) => code === 'E005')) {
    return { message: 'not SQL: nothing follows the comma', start: comma, end: comma };
  }
  const [statement] = parsed.ast as unknown[];
  const findings = inspectQuery(statement);
  if (findings === undefined) return { message: 'the SQL is not a SELECT', start: 0, end: 0 };
  const reads = privateData === undefined ? [] : findPrivateReads(statement, privateData);
  const rejections = findings.rejections.map((one) =>
    one.at === undefined ? one : { ...one, at: toOffsets(sql, one.at, one.at).start },
  );
  return { findings: { ...findings, rejections: [...rejections, ...reads] } };
}

/**
 * Converts offsets of the parser to offsets in a JavaScript string. The parser counts code points, and JavaScript
 * counts UTF-16 code units.
 */
export function toOffsets(sql: string, start: number, end: number): { start: number; end: number } {
  if (!/[\ud800-\udfff]/.test(sql)) return { start, end };
  const characters = [...sql];
  const before = characters.slice(0, start).join('').length;
  return { start: before, end: before + characters.slice(start, end).join('').length };
}

function explainParseError(
  error: string | undefined,
  sql: string,
  { start, end }: { start: number; end: number },
): string {
  const word = sql.slice(start, end);
  if (word === '#') return 'write a comment with --, not with #';
  if (word === ',' && /\blimit\s+\S+\s*$/i.test(sql.slice(0, start)))
    return 'write LIMIT n OFFSET m instead of LIMIT m, n';
  const message = (error ?? 'unreadable').replace(/^(Parse|Tokenization) error at line \d+, column \d+: /, '');
  if (/^E_GUARD|Maximum call stack/.test(message)) return 'the text is too long or nested too deeply';
  if (/\b[LR]Brace\b/.test(message)) return 'bind a value with {{ name }}, in two braces';
  const [, expected, got] = /^Expected (\w+), got \w+ \('([^']*)'\)/.exec(message) ?? [];
  if (expected !== undefined)
    return `expected ${SIGN_NAMES[expected] ?? expected.toUpperCase()} here, got ${JSON.stringify(got)}`;
  const before = sqlTokens(sql.slice(0, start)).at(-1)?.text ?? '';
  if (RESERVED_WORDS.has(word.toUpperCase()) && /^(select|as|by|,)$/i.test(before)) {
    return `${JSON.stringify(word)} is unexpected here; write \`${word}\` if it is a name`;
  }
  const isVague = /^(Invalid expression|Unexpected token)/.test(message);
  return isVague ? `${JSON.stringify(word)} is unexpected here` : message;
}
