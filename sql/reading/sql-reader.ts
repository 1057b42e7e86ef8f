import { codeOf, lexicalFault } from './lexemes.js';
import { Dialect, parse, tokenize, validate } from './parser.js';
import { findPrivateReads, type PrivateData } from './private-data.js';
import { RESERVED_WORDS } from './reserved-words.js';
import { inspectQuery, type QueryFindings } from './sql-findings.js';

/** What the SQL parser says about one text. */
export type SqlReading =
  | { readonly findings: QueryFindings }
  | { readonly message: string; readonly start: number; readonly end: number };

export type SqlReader = (sql: string) => SqlReading;

/** A reader that parses equal texts once; it lives as long as one loading of definitions. It refuses reads of private data. */
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

/** A word of SQL and where it stands. */
export interface SqlToken {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The words of a text, comments left out; none when it cannot be read. */
export function sqlTokens(sql: string): SqlToken[] {
  const { tokens } = tokenize(codeOf(sql), DIALECT);
  return (tokens ?? []).map(({ text, span }) => ({ text, ...placed(sql, span.start, span.end) }));
}

const DIALECT = Dialect.MySQL;
/** The parser forgives a comma before these; databases do not. */
const TRAILING_COMMA = /,\s*(FROM|WHERE|GROUP|ORDER|HAVING|LIMIT|UNION|\))/i;

/** What the parser calls signs. */
const SIGNS: Readonly<Record<string, string>> = { LParen: '(', RParen: ')', Comma: ',', Dot: '.', Eq: '=', Colon: ':' };

function readSql(sql: string, privateData: PrivateData | undefined): SqlReading {
  const fault = lexicalFault(sql);
  if (fault !== undefined) return { ...fault, end: fault.start };
  const code = codeOf(sql);
  const parsed = parse(code, DIALECT);
  if (!parsed.success || parsed.ast === undefined) {
    const place = placed(sql, parsed.errorStart ?? 0, parsed.errorEnd ?? 0);
    return { message: `not SQL: ${plainMessage(parsed.error, sql, place)}`, ...place };
  }
  const comma = code.search(TRAILING_COMMA);
  if (comma >= 0 && validate(code, DIALECT, { strictSyntax: true }).errors.some(({ code }) => code === 'E005')) {
    return { message: 'not SQL: a comma with nothing after it', start: comma, end: comma };
  }
  const [statement] = parsed.ast as unknown[];
  const findings = inspectQuery(statement);
  if (findings === undefined) return { message: 'the SQL is not a SELECT', start: 0, end: 0 };
  const reads = privateData === undefined ? [] : findPrivateReads(statement, privateData);
  const refused = findings.refused.map((one) =>
    one.at === undefined ? one : { ...one, at: placed(sql, one.at, one.at).start },
  );
  return { findings: { ...findings, refused: [...refused, ...reads] } };
}

/** The parser counts characters, JavaScript halves of them: they differ behind an emoji. */
function placed(sql: string, start: number, end: number): { start: number; end: number } {
  if (!/[\ud800-\udfff]/.test(sql)) return { start, end };
  const characters = [...sql];
  const before = characters.slice(0, start).join('').length;
  return { start: before, end: before + characters.slice(start, end).join('').length };
}

function plainMessage(error: string | undefined, sql: string, { start, end }: { start: number; end: number }): string {
  const word = sql.slice(start, end);
  if (word === '#') return 'a comment begins with --, not with #';
  if (word === ',' && /\blimit\s+\S+\s*$/i.test(sql.slice(0, start)))
    return 'write LIMIT n OFFSET m in place of LIMIT m, n';
  const message = (error ?? 'unreadable').replace(/^(Parse|Tokenization) error at line \d+, column \d+: /, '');
  if (message.startsWith('E_GUARD')) return 'it is too long or nested too deeply to be read';
  if (/\b[LR]Brace\b/.test(message)) return 'a value is bound with {{ name }}, in two braces';
  const [, wanted, got] = /^Expected (\w+), got \w+ \('([^']*)'\)/.exec(message) ?? [];
  if (wanted !== undefined)
    return `${SIGNS[wanted] ?? wanted.toUpperCase()} is expected here, not ${JSON.stringify(got)}`;
  const before = sqlTokens(sql.slice(0, start)).at(-1)?.text ?? '';
  if (RESERVED_WORDS.has(word.toUpperCase()) && /^(select|as|by|,)$/i.test(before)) {
    return `${JSON.stringify(word)} is unexpected here; write \`${word}\` if it is a name`;
  }
  const isVague = /^(Invalid expression|Unexpected token)/.test(message);
  return isVague ? `${JSON.stringify(word)} is unexpected here` : message;
}
