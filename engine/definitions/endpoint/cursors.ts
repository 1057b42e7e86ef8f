import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync } from 'node:crypto';
import { badParameterError, type ParameterValues, type RawParameters } from '../parameters/parameter-values.js';
import type { PagePosition, PositionValue } from '../query/page-position.js';
import type { Endpoint } from './endpoint.js';
import { CURSOR_LENGTH } from './row-limit.js';

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

/**
 * Encrypts contents, so that only this service can read and write them. Equal contents for equal purposes have equal results: the
 * nonce is derived from both, and so belongs to one message only.
 */
class Sealer {
  readonly #encryptionKey: Buffer;
  readonly #nonceKey: Buffer;

  constructor(secret: Buffer) {
    this.#encryptionKey = deriveKey(secret, 'cursor encryption');
    this.#nonceKey = deriveKey(secret, 'cursor nonce');
  }

  /** Returns the sealed content. The purpose is needed to open it, and is not contained in it. */
  seal(content: Buffer, purpose: string): Buffer {
    // A line break ends the purpose, because JSON contains none.
    const code = createHmac('sha256', this.#nonceKey).update(purpose).update('\n').update(content);
    const nonce = code.digest().subarray(0, NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#encryptionKey, nonce, TAG).setAAD(Buffer.from(purpose));
    const encrypted = Buffer.concat([cipher.update(content), cipher.final()]);
    return Buffer.concat([VERSION, nonce, cipher.getAuthTag(), encrypted]);
  }

  /** Returns the content. Undefined if it was not sealed for this purpose with the same secret. */
  open(sealed: Buffer, purpose: string): Buffer | undefined {
    if (sealed.length < START || !sealed.subarray(0, VERSION.length).equals(VERSION)) return undefined;
    const nonce = sealed.subarray(VERSION.length, VERSION.length + NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, this.#encryptionKey, nonce, TAG).setAAD(Buffer.from(purpose));
    decipher.setAuthTag(sealed.subarray(VERSION.length + NONCE_BYTES, START));
    const content = decipher.update(sealed.subarray(START));
    try {
      return Buffer.concat([content, decipher.final()]);
    } catch {
      return undefined;
    }
  }
}

/** The first byte of a sealed content. It must be changed with the format. */
const VERSION = Buffer.from([1]);
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG = { authTagLength: 16 };
const START = VERSION.length + NONCE_BYTES + TAG.authTagLength;

function deriveKey(secret: Buffer, name: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', name, 32));
}
