import { createHash } from 'node:crypto';
import type { Database, ResultSet } from '../../engine/databases/interface/database.js';
import { createSqlReader } from '../../engine/sql/reading/sql-reader.js';
import { UntranslatableSqlError } from '../../engine/sql/reading/untranslatable-sql-error.js';
import { DatabasePair } from './database-pair.js';
import type { Suite, SuiteFile } from './suites.js';

/**
 * How the embedded database differs from the server for one SELECT:
 *
 * - `value`: both answer, with different rows.
 * - `names`: both answer with equal rows, but other names of columns.
 * - `rejected`: this program rejects the SELECT when it is loaded.
 * - `error`: the embedded database rejects it when it runs, with a message of this program.
 * - `raw`: the same, but with the text of DuckDB.
 * - `accepted`: only the embedded database answers.
 * - `crash`: an error in the code of this program.
 */
export type DifferenceKind = 'value' | 'names' | 'rejected' | 'error' | 'raw' | 'accepted' | 'crash';

export interface Difference {
  readonly kind: DifferenceKind;
  /** The message; for rows, the first row that differs. */
  readonly message: string;
  readonly sql: string;
  /** Identifies the statement together with the message. */
  readonly id: string;
  /** The file and the line of the statement. */
  readonly place: string;
}

export interface Comparison {
  /** The number of SELECTs that the server answers. */
  ran: number;
  equal: number;
  /** The number of SELECTs that were not compared, by reason. */
  readonly skipped: Map<string, number>;
  readonly differences: Difference[];
}

/** Runs the SELECTs of files of a suite on a server and on the embedded database, and compares the rows. */
export async function compareSuite(
  { setup }: Suite,
  files: readonly SuiteFile[],
  serverUrl: string,
  onFile: (file: SuiteFile) => void,
): Promise<Comparison> {
  const comparison: Comparison = { ran: 0, equal: 0, skipped: new Map(), differences: [] };
  for (const file of files) {
    onFile(file);
    const pair = await DatabasePair.open(serverUrl);
    try {
      for (const sql of setup) if (isChange(sql)) await pair.change(withoutTemporary(sql));
      await pair.keepTables();
      for (const step of await file.read()) {
        if (step === 'reset') await pair.reset();
        else if (isSelect(step.sql)) await compareSelect(pair, step.sql, `${file.name}:${step.line}`, comparison);
        else if (isChange(step.sql)) await pair.change(withoutTemporary(step.sql));
      }
    } finally {
      await pair.close();
    }
  }
  return comparison;
}

function idOf(sql: string, message: string): string {
  return createHash('sha256').update(`${sql}\n${message}`).digest('hex').slice(0, 8);
}

function isSelect(sql: string): boolean {
  return /^[\s(]*(?:select|with)\b/i.test(sql);
}

/** Whether a statement changes only the tables of the suite. Other statements could change the server, or the meaning of later SELECTs. */
function isChange(sql: string): boolean {
  return /^\s*(?:create\s+(?:or\s+replace\s+)?(?:temporary\s+)?(?:table|unique|index|view)|drop\s+(?:temporary\s+)?(?:table|index|view)|alter\s+table|insert|replace|update|delete|truncate|rename\s+table)\b/i.test(
    sql,
  );
}

/** Other connections, which run the SELECTs, do not see temporary tables. */
function withoutTemporary(sql: string): string {
  return sql.replace(/^(\s*(?:create|drop)\s+)temporary\s+/i, '$1');
}

async function compareSelect(pair: DatabasePair, sql: string, place: string, comparison: Comparison): Promise<void> {
  const skip = (reason: string) => comparison.skipped.set(reason, (comparison.skipped.get(reason) ?? 0) + 1);
  const reason = SKIPPED.find(({ pattern }) => pattern.test(sql))?.reason ?? (await pair.copyTables(sql));
  if (reason !== undefined) return void skip(reason);
  const rejection = findRejection(pair, sql);
  if (rejection !== undefined) {
    if (!(await pair.accepts(sql))) return void skip('not valid on the server');
    comparison.ran += 1;
    comparison.differences.push({ ...rejection, sql, id: idOf(sql, rejection.message), place });
    return;
  }
  const [server, embedded] = [await run(pair.server, sql), await run(pair.embedded, sql)];
  const { kind, message } = judge(server, embedded);
  if (kind === 'invalid') return void skip('not valid on the server');
  comparison.ran += 1;
  if (kind === 'equal') comparison.equal += 1;
  else comparison.differences.push({ kind, message, sql, id: idOf(sql, message), place });
}

/** SELECTs whose rows depend on the server, the session or the time. */
const SKIPPED: readonly { readonly pattern: RegExp; readonly reason: string }[] = [
  { pattern: /information_schema|performance_schema|mysql\.|\bsys\./i, reason: 'reads system tables' },
  { pattern: /\$\w/, reason: 'contains a variable of the test' },
  {
    pattern: /\binto\s+(?:outfile|dumpfile)\b|\b(?:sleep|get_lock|benchmark|load_file)\s*\(/i,
    reason: 'writes a file, or waits',
  },
];

function findRejection({ server, embedded }: DatabasePair, sql: string): Judgement<'rejected' | 'crash'> | undefined {
  const rejected = (message: string) => ({ kind: 'rejected', message }) as const;
  try {
    const reading = createSqlReader()(sql);
    if ('message' in reading) return rejected(reading.message);
    const [first] = reading.findings.rejections;
    if (first !== undefined) return rejected(first.message);
    embedded.prepare(sql);
    server.prepare(sql);
    return undefined;
  } catch (error) {
    if (error instanceof UntranslatableSqlError) return rejected(error.message);
    return { kind: 'crash', message: String(error) };
  }
}

type Outcome = ResultSet | Error;

async function run(database: Database, sql: string): Promise<Outcome> {
  return database
    .query(database.prepare(sql), [], { maxRows: MAX_ROWS, timeoutMs: TIMEOUT_MS })
    .catch((error: Error) => error);
}

const MAX_ROWS = 10_000;
const TIMEOUT_MS = 15_000;

interface Judgement<Kind = DifferenceKind | 'equal' | 'invalid'> {
  readonly kind: Kind;
  readonly message: string;
}

function judge(server: Outcome, embedded: Outcome): Judgement {
  if (server instanceof Error) {
    // A table that a statement of the suite has removed in another way than with DROP TABLE.
    const isUnknown = /^the table .* does not exist/.test(server.message);
    return embedded instanceof Error || isUnknown
      ? { kind: 'invalid', message: '' }
      : { kind: 'accepted', message: messageOf(server) };
  }
  if (embedded instanceof Error) {
    const message = messageOf(embedded);
    return { kind: DUCKDB_TEXT.test(message) ? 'raw' : 'error', message };
  }
  const difference = firstDifference(server, embedded);
  if (difference !== undefined) return { kind: 'value', message: difference };
  const names = (result: ResultSet) => result.columns.map(({ name }) => name).join(', ');
  if (nameKey(names(server)) === nameKey(names(embedded))) return { kind: 'equal', message: '' };
  return { kind: 'names', message: `${names(server)} → ${names(embedded)}` };
}

/** Databases ignore the case of names. docs/sql-dialect.md describes the names of expressions in derived tables. */
function nameKey(name: string): string {
  return name.toLowerCase().replace(/\s+/g, '');
}

/** Matches the texts of DuckDB, such as `Binder Error: …`. */
const DUCKDB_TEXT = /^(?:[A-Z][A-Za-z ]+ )?Error: |^INTERNAL/;

/** Compares the rows without their order, because most SELECTs of the suites have no complete order. */
function firstDifference(server: ResultSet, embedded: ResultSet): string | undefined {
  const [expected, actual] = [textsOf(server), textsOf(embedded)];
  const place = expected.findIndex((row, index) => row !== actual[index]);
  if (place < 0 && expected.length === actual.length) return undefined;
  return `${expected[Math.max(place, 0)] ?? 'no row'} → ${actual[Math.max(place, 0)] ?? 'no row'}`;
}

function textsOf({ rows }: ResultSet): string[] {
  return rows.map((row) => row.map(textOf).join(' | ')).sort();
}

/** Writes a cell. JSON documents are compared without the spaces between their parts. */
function textOf(cell: unknown): string {
  if (cell === null) return 'NULL';
  const text = String(cell);
  return /^[[{]/.test(text) ? text.replace(/("(?:\\.|[^"\\])*")|\s+/g, (_, quoted = '') => quoted) : text;
}

function messageOf(error: Error): string {
  const { cause } = error;
  return cause instanceof Error && error.message.startsWith('The query failed') ? cause.message : error.message;
}
