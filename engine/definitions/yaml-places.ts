import { EVENT_ID, type Event, getScalarValue, type ScalarEvent } from 'js-yaml';

/** The offsets of a value of a YAML text and of its key. */
export interface Place {
  readonly key: number;
  readonly value: number;
  readonly scalar?: ScalarEvent;
}

/** Finds the position of the value at a path of keys and indexes, or of its nearest existing ancestor. */
export function placeOf(text: string, events: readonly Event[], path: Path): Place {
  return new EventCursor(text, events).find(path);
}

/** Returns line and column of a character, counted from 1. */
export function positionOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

type Path = readonly (string | number)[];

/**
 * Walks the flat list of YAML events of one document. It caches no positions, because a file usually has only a few
 * problems.
 */
class EventCursor {
  readonly #text: string;
  readonly #events: readonly Event[];
  #next = 1;

  constructor(text: string, events: readonly Event[]) {
    this.#text = text;
    this.#events = events;
  }

  find(path: Path, key = 0): Place {
    const event = this.#events[this.#next];
    const here = { key, value: startOf(event) ?? key, ...(event?.type === EVENT_ID.SCALAR && { scalar: event }) };
    const [step, ...rest] = path;
    if (event === undefined || step === undefined) return here;
    this.#next += 1;
    for (
      let index = 0;
      this.#events[this.#next]?.type !== EVENT_ID.POP && this.#next < this.#events.length;
      index += 1
    ) {
      const item = this.#events[this.#next];
      if (event.type === EVENT_ID.SEQUENCE) {
        if (String(index) === String(step)) return this.find(rest, startOf(item) ?? here.value);
      } else if (event.type === EVENT_ID.MAPPING) {
        const name = item?.type === EVENT_ID.SCALAR ? getScalarValue(this.#text, item) : undefined;
        this.#skip();
        if (name === String(step)) return this.find(rest, startOf(item) ?? here.value);
      } else {
        return here;
      }
      this.#skip();
    }
    return here;
  }

  /** Skips one node with its content. */
  #skip(): void {
    let depth = 0;
    do {
      const type = this.#events[this.#next]?.type;
      if (type === EVENT_ID.SEQUENCE || type === EVENT_ID.MAPPING) depth += 1;
      if (type === EVENT_ID.POP) depth -= 1;
      this.#next += 1;
    } while (depth > 0 && this.#next < this.#events.length);
  }
}

function startOf(event: Event | undefined): number | undefined {
  if (event === undefined) return undefined;
  // The event of an absent value has a negative start.
  if (event.type === EVENT_ID.SCALAR) return event.valueStart < 0 ? undefined : event.valueStart;
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart;
  return event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.MAPPING ? event.start : undefined;
}
