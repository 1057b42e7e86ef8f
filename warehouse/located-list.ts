import { constructFromEvents, EVENT_ID, type Event, parseEvents, YAMLException } from 'js-yaml';
import type { Problem } from '../engine/definition/problem.js';

/** A value of a YAML or JSON file that knows the places of its parts. */
export interface LocatedValue {
  readonly value: unknown;
  /** A problem at the part that a JSON pointer such as `/2/items/0` names, or at its nearest ancestor. */
  problem(pointer: string, message: string, facts?: Pick<Problem, 'expected' | 'got'>): Problem;
}

/** Reads text as YAML, of which JSON is a part; what cannot be read is a problem. */
export function readLocated(file: string, text: string): LocatedValue | Problem {
  try {
    const events = parseEvents(text, { maxDepth: 20 });
    const value = constructFromEvents(events, { source: text, maxAliases: 0 })[0];
    const problem: LocatedValue['problem'] = (pointer, message, facts = {}) => {
      const steps = pointer.split('/').slice(1);
      const offset = offsetOf(text, events, steps);
      return { file, ...position(text, offset), key: steps.join('.'), message, ...facts };
    };
    return { value, problem };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    return { file, ...position(text, error.mark?.position ?? 0), key: '', message: `cannot be read: ${error.reason}` };
  }
}

function position(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/** Walks the flat events of the document down to the steps, as far as they exist. */
function offsetOf(text: string, events: readonly Event[], steps: readonly string[]): number {
  let next = 1;
  let offset = startOf(events[next]) ?? 0;
  for (const step of steps) {
    const container = events[next];
    const isMapping = container?.type === EVENT_ID.MAPPING;
    if (!isMapping && container?.type !== EVENT_ID.SEQUENCE) return offset;
    next++;
    for (let index = 0; ; index++) {
      if (events[next] === undefined || events[next]?.type === EVENT_ID.POP) return offset;
      const isWanted = isMapping ? textOf(text, events[next]) === step : String(index) === step;
      if (isMapping) next = after(events, next);
      if (isWanted) break;
      next = after(events, next);
    }
    offset = startOf(events[next]) ?? offset;
  }
  return offset;
}

/** The index behind the node that starts at `index`, with all that is in it. */
function after(events: readonly Event[], index: number): number {
  let depth = 0;
  let next = index;
  do {
    const type = events[next]?.type;
    if (type === EVENT_ID.SEQUENCE || type === EVENT_ID.MAPPING) depth++;
    if (type === EVENT_ID.POP) depth--;
    next++;
  } while (depth > 0 && next < events.length);
  return next;
}

function textOf(text: string, event: Event | undefined): string | undefined {
  return event?.type === EVENT_ID.SCALAR ? text.slice(event.valueStart, event.valueEnd) : undefined;
}

function startOf(event: Event | undefined): number | undefined {
  if (event?.type === EVENT_ID.SCALAR) return event.valueStart < 0 ? undefined : event.valueStart;
  return event?.type === EVENT_ID.SEQUENCE || event?.type === EVENT_ID.MAPPING ? event.start : undefined;
}
