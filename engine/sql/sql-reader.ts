import { Dialect, parse, tokenize, validate } from '@polyglot-sql/sdk';
import { inspectQuery, type QueryFindings } from './sql-findings.js';

/** What the SQL parser says about one text. */
export type SqlReading =
  | { readonly findings: QueryFindings }
  | { readonly message: string; readonly start: number; readonly end: number };

export type SqlReader = (sql: string) => SqlReading;

/** A reader that parses equal texts once; it lives as long as one loading of definitions. */
export function createSqlReader(): SqlReader {
  const readings = new Map<string, SqlReading>();
  return (sql) => {
    const known = readings.get(sql);
    if (known !== undefined) return known;
    const reading = readSql(sql);
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
  const { tokens } = tokenize(sql, DIALECT);
  return (tokens ?? []).map(({ text, span }) => ({ text, ...placed(sql, span.start, span.end) }));
}

type Refusal = Extract<SqlReading, { message: string }>;

const DIALECT = Dialect.MySQL;
/** The parser forgives a comma before these; databases do not. */
const TRAILING_COMMA = /,\s*(FROM|WHERE|GROUP|ORDER|HAVING|LIMIT|UNION|\))/i;

function readSql(sql: string): SqlReading {
  const parsed = parse(sql, DIALECT);
  if (!parsed.success || parsed.ast === undefined) {
    const place = placed(sql, parsed.errorStart ?? 0, parsed.errorEnd ?? 0);
    return { message: `not SQL: ${plainMessage(parsed.error, sql.slice(place.start, place.end))}`, ...place };
  }
  const [statement, second] = parsed.ast as unknown[];
  const findings = inspectQuery(statement);
  return (
    refusal(sql, second !== undefined) ??
    (findings === undefined ? { message: 'the SQL is not a SELECT', start: 0, end: 0 } : { findings })
  );
}

/** What the parser lets pass, and databases or the engine do not. */
function refusal(sql: string, isSeveral: boolean): Refusal | undefined {
  const semicolon = sql.includes(';') ? sqlTokens(sql).find(({ text }) => text === ';')?.start : undefined;
  if (isSeveral) return at(semicolon ?? 0, 'the SQL is more than one statement');
  if (semicolon !== undefined && semicolon < sql.trimEnd().length - 1) {
    return at(semicolon, 'nothing may follow the semicolon: leave it out');
  }
  const executable = sql.indexOf('/*!');
  if (executable >= 0) return at(executable, 'a comment /*! … */ is run by some databases only: leave it out');
  const comma = sql.search(TRAILING_COMMA);
  if (comma < 0) return undefined;
  const { errors } = validate(sql, DIALECT, { strictSyntax: true });
  return errors.some(({ code }) => code === 'E005') ? at(comma, 'not SQL: a comma with nothing after it') : undefined;
}

function at(start: number, message: string): Refusal {
  return { message, start, end: start };
}

/** The parser counts characters, JavaScript halves of them: they differ behind an emoji. */
function placed(sql: string, start: number, end: number): { start: number; end: number } {
  if (!/[\ud800-\udfff]/.test(sql)) return { start, end };
  const characters = [...sql];
  const before = characters.slice(0, start).join('').length;
  return { start: before, end: before + characters.slice(start, end).join('').length };
}

function plainMessage(error: string | undefined, word: string): string {
  if (word === '#') return 'a comment begins with --, not with #';
  const message = (error ?? 'unreadable').replace(/^(Parse|Tokenization) error at line \d+, column \d+: /, '');
  if (message.startsWith('E_GUARD')) return 'it is too long or nested too deeply to be read';
  const isVague = /^(Invalid expression|Unexpected token)/.test(message);
  return isVague ? `${JSON.stringify(word)} is unexpected here` : message;
}
