import type { Problem } from '../../definitions/problem.js';
import { positionOf } from '../../definitions/yaml-places.js';
import { findQuotedPlace } from '../../sql/reading/find-quoted-place.js';
import type { PrivateData } from '../../sql/reading/private-data.js';
import { createSqlReader } from '../../sql/reading/sql-reader.js';
import { findToken, sqlTokens } from '../../sql/reading/statement.js';

/**
 * Replaces `{{ now }}`, `{{ hour }}` and `{{ today }}` by placeholders for bound values, so that the parser and the
 * database accept the text. The length of the text stays the same.
 */
export function maskClock(sql: string): string {
  const names: string[] = [];
  return sql.replace(CLOCK, (mark: string, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `:p${names.indexOf(name) + 1}`.padEnd(mark.length);
  });
}

/** Whether a SELECT uses `{{ now }}`, so that its rows can change every second. */
export function usesSecond(sql: string): boolean {
  return [...sql.matchAll(CLOCK)].some(([, name]) => name === 'now');
}

const CLOCK = /\{\{\s*(now|hour|today)\s*\}\}/g;

/** A SELECT of the author, without surrounding blanks and final semicolon. Its problems have positions in the author's text. */
export interface Select {
  readonly sql: string;
  /** The tables that the SELECT reads, in lower case. */
  readonly tables: ReadonlySet<string>;
  /** Creates a problem at an offset of `sql`. */
  problemAt(message: string, offset: number): Problem;
  /** Creates a problem from the reason why a database rejects the SELECT. */
  problem(reason: string): Problem;
}

/** Reads a SELECT from the text of a file, or returns its problems. `file` is the name of the text in problems. */
export function readSelect(
  file: string,
  text: string,
  privateData?: PrivateData,
): { readonly select: Select } | { readonly problems: readonly Problem[] } {
  const sql = text.replace(/[\s;]+$/, '').trimStart();
  const offset = text.indexOf(sql);
  const problem = (message: string, at: number): Problem => ({
    file,
    ...positionOf(text, offset + at),
    key: '',
    message,
  });
  if (sql === '') return { problems: [problem('the SELECT is empty', 0)] };
  const marker = /:p\d/.exec(sql);
  if (marker !== null) return { problems: [problem(`write a value instead of the marker ${marker[0]}`, marker.index)] };
  const code = maskClock(sql);
  const template = /\{\{|\{%/.exec(code);
  if (template !== null) {
    const message =
      'only {{ now }}, {{ hour }} and {{ today }} are allowed: write other values, and they become parameters';
    return { problems: [problem(message, template.index)] };
  }
  const reading = createSqlReader(privateData)(code);
  if ('message' in reading) return { problems: [problem(reading.message, reading.start)] };
  const { rejections, tables, bound } = reading.findings;
  const rejected = rejections.map(({ token, at, message }) => problem(message, at ?? placeOf(code, token)));
  const marked = [...bound]
    .filter((name) => !/^p\d$/.test(name))
    .map((name) => problem(`write a value instead of the marker :${name}`, sql.indexOf(`:${name}`)));
  if (rejected.length + marked.length > 0) return { problems: [...rejected, ...marked] };
  return {
    select: {
      sql,
      tables,
      problemAt: problem,
      problem: (reason) => problem(reason, findQuotedPlace(sql, reason) ?? 0),
    },
  };
}

function placeOf(sql: string, name: string): number {
  return findToken(sqlTokens(sql), name)?.start ?? 0;
}
