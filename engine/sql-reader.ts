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
  return (tokens ?? []).map(({ text, span: { start, end } }) => ({ text, start, end }));
}

const DIALECT = Dialect.MySQL;
/** The parser forgives a comma before these; databases do not. */
const TRAILING_COMMA = /,\s*(FROM|WHERE|GROUP|ORDER|HAVING|LIMIT|UNION|\))/i;

function readSql(sql: string): SqlReading {
  const executable = sql.indexOf('/*!');
  if (executable >= 0) {
    return {
      message: 'a comment /*! … */ is run by some databases only: leave it out',
      start: executable,
      end: executable,
    };
  }
  const parsed = parse(sql, DIALECT);
  if (!parsed.success || parsed.ast === undefined) {
    const start = parsed.errorStart ?? 0;
    const end = parsed.errorEnd ?? start + 1;
    return { message: `not SQL: ${plainMessage(parsed.error, sql.slice(start, end))}`, start, end };
  }
  const strict = TRAILING_COMMA.test(sql) ? strictSyntaxError(sql) : undefined;
  if (strict !== undefined) return strict;
  const [statement, second] = parsed.ast as unknown[];
  if (second !== undefined) return { message: 'the SQL is more than one statement', ...semicolon(sql) };
  const findings = inspectQuery(statement);
  if (findings === undefined) return { message: 'the SQL is not a SELECT', start: 0, end: 0 };
  const rest = sql.indexOf(';');
  return rest >= 0 && semicolon(sql).start < sql.trimEnd().length - 1
    ? { message: 'nothing may follow the semicolon: leave it out', ...semicolon(sql) }
    : { findings };
}

function semicolon(sql: string): { start: number; end: number } {
  const start = sqlTokens(sql).find(({ text }) => text === ';')?.start ?? sql.length;
  return { start, end: start };
}

function strictSyntaxError(sql: string): SqlReading | undefined {
  const [error] = validate(sql, DIALECT, { strictSyntax: true }).errors.filter(({ code }) => code === 'E005');
  if (error === undefined) return undefined;
  const start = sql.search(TRAILING_COMMA);
  return { message: 'not SQL: a comma with nothing after it', start, end: start };
}

function plainMessage(error: string | undefined, word: string): string {
  const message = (error ?? 'unreadable').replace(/^(Parse|Tokenization) error at line \d+, column \d+: /, '');
  return /^(Invalid expression|Unexpected token)/.test(message)
    ? `${JSON.stringify(word)} is unexpected here`
    : message;
}
