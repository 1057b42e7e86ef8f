import { ConcatenatedObjects } from './concatenated.js';
import { MAX_LINE_BYTES } from './event-columns.js';

/**
 * The result for a line that DuckDB rejected: its events in a form that DuckDB accepts, or the reason why the line is
 * broken.
 */
export type Repair = { readonly events: readonly string[] } | { readonly broken: string };

/**
 * The first and the last year of the calendar. Events of other years are rejected, because a single event with a wrong year would extend
 * every history to that year.
 */
export const FIRST_YEAR = 2000;
export const LAST_YEAR = 2099;

/**
 * Repairs a line that DuckDB does not accept as an event. The function replaces lone surrogates by U+FFFD, converts the time format of
 * early 2012 to ISO 8601, reads a payload that is the text of a JSON object (the form of the BigQuery copy of the archive), and splits
 * objects without a line break between them. Any other line is broken.
 */
export function repairLine(line: Buffer): Repair {
  const whole = parseEvent(line.toString('utf8'));
  if (!('syntax' in whole)) return 'broken' in whole ? whole : { events: [whole.event] };
  const scanner = new ConcatenatedObjects(MAX_LINE_BYTES);
  const objects = scanner.push(line);
  if (objects.length < 2 || scanner.rejected > 0 || scanner.rest().length > 0) return { broken: whole.syntax };
  const parsed = objects.map((object) => parseEvent(object.toString('utf8')));
  const events = parsed.flatMap((result) => ('event' in result ? [result.event] : []));
  return events.length === parsed.length ? { events } : { broken: whole.syntax };
}

/**
 * Returns the reason why DuckDB rejects a repaired event. Usually the reason is the time, because DuckDB accepts fewer time formats than
 * JavaScript.
 */
export function describeRejected(event: string): string {
  const { created_at: time } = JSON.parse(event) as { readonly created_at?: unknown };
  if (typeof time === 'string' && TIME_WITH_SECONDS.test(time)) return 'not an event that the database can read';
  const got = truncate(JSON.stringify(time));
  return `not an event: expected a time such as 2024-06-01T10:00:00Z, with seconds, in created_at, got ${got}`;
}

const TIME_WITH_SECONDS = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?$/;

type Parsed = { readonly event: string } | { readonly broken: string } | { readonly syntax: string };

function parseEvent(text: string): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text, (_key, part) => (typeof part === 'string' ? repairText(part) : part));
  } catch (error) {
    return { syntax: `not JSON: ${truncate((error as Error).message)}` };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { broken: `not an event: expected an object, got ${truncate(text)}` };
  }
  const { type, created_at: createdAt } = value as Record<string, unknown>;
  if (typeof type !== 'string' || !type.endsWith('Event')) {
    return { broken: `not an event: expected a type such as PushEvent, got ${truncate(JSON.stringify(type))}` };
  }
  const time = typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN;
  if (Number.isNaN(time)) {
    return { broken: `not an event: expected a time in created_at, got ${truncate(JSON.stringify(createdAt))}` };
  }
  const year = new Date(time).getUTCFullYear();
  if (year < FIRST_YEAR || year > LAST_YEAR) {
    const expected = `a time from ${FIRST_YEAR} to ${LAST_YEAR}`;
    return { broken: `not an event: expected ${expected} in created_at, got ${truncate(JSON.stringify(createdAt))}` };
  }
  const payload = readPayload((value as { payload?: unknown }).payload);
  if (payload === undefined) {
    const got = truncate(JSON.stringify((value as { payload?: unknown }).payload));
    return { broken: `not an event: expected an object or its JSON text in payload, got ${got}` };
  }
  return { event: JSON.stringify({ ...value, payload }) };
}

/** Returns the object of a payload: the payload itself, or the object in its JSON text. An absent payload becomes an empty object. */
function readPayload(payload: unknown): object | undefined {
  if (payload === undefined || payload === null) return {};
  let value = payload;
  try {
    if (typeof payload === 'string') value = JSON.parse(payload);
  } catch {
    return undefined;
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

/** The time format in the first files of the second era, such as `2012/03/12 00:00:00 -0700`. */
const OLD_TIME = /^(\d{4})\/(\d\d)\/(\d\d) (\d\d:\d\d:\d\d) ([+-]\d\d):?(\d\d)$/;

function repairText(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd').replace(OLD_TIME, '$1-$2-$3T$4$5:$6');
}

/** With the `u` flag, a surrogate pair is one character, so this only matches lone surrogates. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

function truncate(text: string | undefined): string {
  if (text === undefined) return 'nothing';
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= 100 ? line : `${line.slice(0, 97)}…`;
}
