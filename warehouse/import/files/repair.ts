import { ConcatenatedObjects } from './concatenated.js';
import { MAX_LINE_BYTES } from './event-columns.js';

/** A line that DuckDB refused: events to read again, in a form that it takes, or why there is none. */
export type Repair = { readonly events: readonly string[] } | { readonly broken: string };

/** The years of the calendar. One event outside of them would stretch every history to its day. */
export const FIRST_YEAR = 2000;
export const LAST_YEAR = 2099;

/**
 * Looks again at a line that DuckDB did not take for an event. Lone surrogates become U+FFFD, times as written in early
 * 2012 become ISO, objects without a line break between them become lines; the rest is broken.
 */
export function repairLine(line: Buffer): Repair {
  const whole = parsedEvent(line.toString('utf8'));
  if (!('syntax' in whole)) return 'broken' in whole ? whole : { events: [whole.event] };
  const scanner = new ConcatenatedObjects(MAX_LINE_BYTES);
  const objects = scanner.push(line);
  if (objects.length < 2 || scanner.refused > 0 || scanner.rest().length > 0) return { broken: whole.syntax };
  const parsed = objects.map((object) => parsedEvent(object.toString('utf8')));
  const events = parsed.flatMap((result) => ('event' in result ? [result.event] : []));
  return events.length === parsed.length ? { events } : { broken: whole.syntax };
}

type Parsed = { readonly event: string } | { readonly broken: string } | { readonly syntax: string };

function parsedEvent(text: string): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text, (_key, part) => (typeof part === 'string' ? wellFormed(part) : part));
  } catch (error) {
    return { syntax: `not JSON: ${shortened((error as Error).message)}` };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { broken: `not an event: expected an object, got ${shortened(text)}` };
  }
  const { type, created_at: createdAt } = value as Record<string, unknown>;
  if (typeof type !== 'string' || !type.endsWith('Event')) {
    return { broken: `not an event: expected a type such as PushEvent, got ${shortened(JSON.stringify(type))}` };
  }
  const time = typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN;
  if (Number.isNaN(time)) {
    return { broken: `not an event: expected a time in created_at, got ${shortened(JSON.stringify(createdAt))}` };
  }
  const year = new Date(time).getUTCFullYear();
  if (year < FIRST_YEAR || year > LAST_YEAR) {
    const expected = `a time from ${FIRST_YEAR} to ${LAST_YEAR}`;
    return { broken: `not an event: expected ${expected} in created_at, got ${shortened(JSON.stringify(createdAt))}` };
  }
  return { event: JSON.stringify(value) };
}

/** `2012/03/12 00:00:00 -0700` is how the first files of the second era write times. */
const OLD_TIME = /^(\d{4})\/(\d\d)\/(\d\d) (\d\d:\d\d:\d\d) ([+-]\d\d):?(\d\d)$/;

function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd').replace(OLD_TIME, '$1-$2-$3T$4$5:$6');
}

/** With the `u` flag a pair is one character, so that only a lone surrogate is of this category. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

function shortened(text: string | undefined): string {
  if (text === undefined) return 'nothing';
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= 100 ? line : `${line.slice(0, 97)}…`;
}
