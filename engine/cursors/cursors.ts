import { createHmac, hash } from 'node:crypto';
import type { Endpoint } from '../endpoint/endpoint.js';
import { CURSOR_LENGTH } from '../endpoint/row-limit.js';
import { badParameterError, type ParameterValues, type RawParameters } from '../parameters/parameter-values.js';
import type { PagePosition, PositionValue } from '../query/page-position.js';
import { Sealer } from './sealer.js';

/** The parameters of a request, and the position of its cursor. */
export interface PlacedRequest {
  readonly parameters: ParameterValues;
  /** Undefined without a cursor. */
  readonly after: PagePosition | undefined;
}

/**
 * Writes and reads cursors: the position after a page as a text that only this service can read and write, because it can contain
 * values that are not in the answer. A cursor belongs to the version of the definition and all other parameters, so it continues
 * only the rows for which it was written. Equal positions have equal cursors, so that answers with a cursor can be stored.
 */
export class Cursors {
  /** Differs between secrets, without revealing them. */
  readonly fingerprint: string;
  readonly #sealer: Sealer;

  constructor(secret: Buffer) {
    this.#sealer = new Sealer(secret);
    this.fingerprint = hash('sha256', createHmac('sha256', secret).update('fingerprint').digest('hex'), 'base64url');
  }

  /** Returns the cursor of a position; undefined if it would be too long. */
  write(endpoint: Endpoint, parameters: ParameterValues, position: PagePosition): string | undefined {
    const content = Buffer.from(JSON.stringify(position.map(toEntry)));
    const cursor = this.#sealer.seal(content, purposeOf(endpoint, parameters)).toString('base64url');
    return cursor.length > CURSOR_LENGTH.max ? undefined : cursor;
  }

  /** Reads the parameters of a request. Throws `bad_parameter`, also for a cursor of anything else than this request. */
  readRequest(endpoint: Endpoint, raw: RawParameters): PlacedRequest {
    const parameters = endpoint.readParameters(raw);
    const { cursor } = parameters;
    if (endpoint.cursors === undefined || typeof cursor !== 'string') return { parameters, after: undefined };
    return { parameters, after: this.#readPosition(endpoint, parameters, cursor) };
  }

  #readPosition(endpoint: Endpoint, parameters: ParameterValues, cursor: string): PagePosition {
    const bytes = Buffer.from(cursor, 'base64url');
    // Other texts can have the same bytes.
    const isCanonical = bytes.toString('base64url') === cursor;
    const content = isCanonical ? this.#sealer.open(bytes, purposeOf(endpoint, parameters)) : undefined;
    if (content === undefined) throw foreignCursorError(cursor);
    return (JSON.parse(content.toString()) as readonly Entry[]).map(fromEntry);
  }
}

function purposeOf({ contentHash, parameters: declared }: Endpoint, values: ParameterValues): string {
  const others = Object.keys(declared).flatMap((name) => (PLACES.has(name) ? [] : [[name, values[name]]]));
  return JSON.stringify([contentHash, others]);
}

/** The parameters that state a place in the rows. */
const PLACES: ReadonlySet<string> = new Set(['page', 'cursor']);

/** A value in a cursor: its kind, and its text. JSON has no exact form of large integers. */
type Entry =
  | readonly ['null']
  | readonly ['integer' | 'double' | 'text' | 'date' | 'datetime', string]
  | readonly ['decimal', string, number];

function toEntry({ form, value }: PositionValue): Entry {
  if (form.kind === 'null') return ['null'];
  const text = String(value);
  if (form.kind === 'decimal') return ['decimal', text, form.scale];
  if (form.kind !== 'plain') return [form.kind, text];
  if (typeof value === 'string') return ['text', text];
  return [typeof value === 'bigint' || Number.isSafeInteger(value) ? 'integer' : 'double', text];
}

function fromEntry(entry: Entry): PositionValue {
  const [kind, text = '', scale = 0] = entry;
  switch (kind) {
    case 'null':
      return { form: { kind }, value: null };
    case 'decimal':
      return { form: { kind, scale }, value: text };
    case 'integer':
      return { form: { kind: 'plain' }, value: toInteger(text) };
    case 'double':
      return { form: { kind: 'plain' }, value: Number(text) };
    case 'text':
      return { form: { kind: 'plain' }, value: text };
    default:
      return { form: { kind }, value: text };
  }
}

function toInteger(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

function foreignCursorError(cursor: string): Error {
  const expected = 'the next_cursor of an answer of this version of the definition with the same other parameters';
  const got = JSON.stringify(cursor.length > MAX_GOT ? `${cursor.slice(0, MAX_GOT)}…` : cursor);
  const message = `cursor must be ${expected}, got ${got}`;
  return badParameterError([{ parameter: 'cursor', expected, got, message }]);
}

const MAX_GOT = 60;
