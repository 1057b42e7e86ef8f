import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync } from 'node:crypto';
import type { Cell, ResultSet } from '../../databases/interface/database.js';
import { badParameterError, type ParameterValues, type RawParameters } from '../parameters/parameter-values.js';
import { type PagePosition, type PositionValue, readPositionValue } from '../query/page-position.js';
import type { Endpoint } from './endpoint.js';
import { WholeParents } from './nesting.js';
import { CURSOR_LENGTH } from './row-limit.js';

/** The parameters of a request, and the position that its cursor contains. */
export interface PlacedRequest {
  readonly parameters: ParameterValues;
  /** The position in the cursor; undefined if the request has no cursor. */
  readonly after: PagePosition | undefined;
}

/**
 * Writes and reads cursors. A cursor is the position after a page as an encrypted text, because it can contain values
 * that are not in the answer. A cursor is valid only for the version of the definition and the other parameters for
 * which it was written. Equal positions have equal cursors, so that answers with a cursor can be cached.
 */
export class Cursors {
  /** A text that identifies the secret without revealing it. */
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

  /** Reads the parameters of a request. Throws `bad_parameter`, also if the cursor was written for another request. */
  readRequest(endpoint: Endpoint, raw: RawParameters): PlacedRequest {
    const parameters = endpoint.readParameters(raw);
    const { cursor } = parameters;
    if (endpoint.cursors === undefined || typeof cursor !== 'string') return { parameters, after: undefined };
    return { parameters, after: this.#readPosition(endpoint, parameters, cursor) };
  }

  #readPosition(endpoint: Endpoint, parameters: ParameterValues, cursor: string): PagePosition {
    const bytes = Buffer.from(cursor, 'base64url');
    // Several base64url texts can decode to the same bytes. Only the canonical one is accepted.
    const isCanonical = bytes.toString('base64url') === cursor;
    const content = isCanonical ? this.#sealer.open(bytes, purposeOf(endpoint, parameters)) : undefined;
    if (content === undefined) throw foreignCursorError(cursor);
    return (JSON.parse(content.toString()) as readonly Entry[]).map(fromEntry);
  }
}

function purposeOf({ contentHash }: Endpoint, values: ParameterValues): string {
  const others = Object.entries(values).filter(([name]) => !PLACES.has(name));
  return JSON.stringify([contentHash, others]);
}

/** The parameters that select a page. A cursor is bound to all other values of its request, also those of the caller. */
const PLACES: ReadonlySet<string> = new Set(['page', 'cursor']);

/** A value in a cursor: its kind and its text, because JSON numbers cannot represent large integers exactly. */
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
 * Encrypts and authenticates contents. Equal contents with equal purposes have equal results, because the nonce is
 * derived from both; so a nonce is never used for two different messages.
 */
class Sealer {
  readonly #encryptionKey: Buffer;
  readonly #nonceKey: Buffer;

  constructor(secret: Buffer) {
    this.#encryptionKey = deriveKey(secret, 'cursor encryption');
    this.#nonceKey = deriveKey(secret, 'cursor nonce');
  }

  /** Returns the encrypted content. `purpose` is needed to decrypt it, and is not contained in it. */
  seal(content: Buffer, purpose: string): Buffer {
    // A line break separates the purpose from the content. The purpose contains no line break, because it is JSON.
    const code = createHmac('sha256', this.#nonceKey).update(purpose).update('\n').update(content);
    const nonce = code.digest().subarray(0, NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#encryptionKey, nonce, TAG).setAAD(Buffer.from(purpose));
    const encrypted = Buffer.concat([cipher.update(content), cipher.final()]);
    return Buffer.concat([VERSION, nonce, cipher.getAuthTag(), encrypted]);
  }

  /** Returns the decrypted content; undefined if it was not encrypted for this purpose with the same secret. */
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

/** The first byte of an encrypted content. Change it when the format changes. */
const VERSION = Buffer.from([1]);
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG = { authTagLength: 16 };
const START = VERSION.length + NONCE_BYTES + TAG.authTagLength;

function deriveKey(secret: Buffer, name: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', name, 32));
}

/** The rows of a page, without the row and columns that were read only for the next cursor. */
interface Page extends Pick<ResultSet, 'columns' | 'rows' | 'more'> {
  /** The cursor of the next page; null if there is no next page or no cursor for it. Undefined if the endpoint has no cursors. */
  readonly nextCursor: string | null | undefined;
  /** The reason why the next page has no cursor; undefined if it has one or the caller does not need it. */
  readonly notice: string | undefined;
}

/**
 * Returns the maximum number of rows to read for a page of `limit` rows. The row after the page shows whether the order
 * is total, and whether the list of the last parent is complete.
 */
export function rowsToRead({ cursors, nesting }: Endpoint, limit: number): number {
  return cursors === undefined && nesting === undefined ? limit : limit + 1;
}

/** Removes the additional row and columns from a result, and writes the cursor of the next page. With `nest`, removes a parent whose list continues after the limit. */
export function readPage(
  endpoint: Endpoint,
  parameters: ParameterValues,
  limit: number,
  result: ResultSet,
  cursors: Cursors,
): Page {
  const { cursors: reader, definition, nesting } = endpoint;
  if (nesting !== undefined) {
    const parents = new WholeParents(definition, nesting, { maxRows: limit, isOrdered: false });
    const rows = [...parents.add(result.rows), ...parents.end()];
    return { ...result, rows, more: parents.isTruncated, nextCursor: undefined, notice: undefined };
  }
  if (reader === undefined) return { ...result, nextCursor: undefined, notice: undefined };
  const width = definition.columns.length;
  const isWider = result.columns.length > width;
  const shown = result.rows.slice(0, limit);
  const page = {
    columns: isWider ? result.columns.slice(0, width) : result.columns,
    rows: isWider ? shown.map((row) => row.slice(0, width)) : shown,
    more: result.rows.length > limit || result.more,
  };
  if (!page.more) return { ...page, nextCursor: null, notice: undefined };
  const places = reader.placesOf(parameters);
  const position = places === undefined ? NO_ORDER : readPosition(places, limit, result);
  const nextCursor = typeof position === 'string' ? undefined : cursors.write(endpoint, parameters, position);
  if (nextCursor !== undefined) return { ...page, nextCursor, notice: undefined };
  return { ...page, nextCursor: null, notice: explainMissing(parameters, position) };
}

/** Returns the notice about a missing cursor. A caller that requested a later page by its number does not need a cursor. */
function explainMissing({ page }: ParameterValues, position: PagePosition | string): string | undefined {
  if (page !== null && Number(page) > 1) return undefined;
  const reason = typeof position === 'string' ? position : TOO_LONG;
  return `The next page has no cursor, because ${reason}. Request it by its number.`;
}

const NO_ORDER = 'the order of these rows cannot be continued';
const EQUAL = 'the last row of this page and the first row of the next page are equal in ORDER BY';
const SIMILAR =
  'the last row of this page and the first row of the next page differ in ORDER BY only in case, accents, spaces or similar letters';
const INEXACT = 'a value of its last row cannot be compared exactly';
const TOO_LONG = 'the values of its last row are too long';

/** Returns the position after the last row, or the reason why cursors are not possible there. */
function readPosition(places: readonly number[], limit: number, { rows, columns }: ResultSet): PagePosition | string {
  const [last, next] = [rows[limit - 1], rows[limit]];
  if (last === undefined || next === undefined) return NO_ORDER;
  // The next page starts after all rows that are equal in all keys, so the remaining equal rows would be lost.
  if (places.every((place) => last[place] === next[place])) return EQUAL;
  if (places.every((place) => canBeEqual(last[place], next[place]))) return SIMILAR;
  const values = places.map((place) => readPositionValue(last[place] ?? null, columns[place]?.type ?? ''));
  return values.every((value) => value !== undefined) ? values : INEXACT;
}

function canBeEqual(one: Cell | undefined, other: Cell | undefined): boolean {
  if (one === other) return true;
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  const [left, right] = [foldText(one), foldText(other)];
  return left === right || SAME_LETTERS.compare(left, right) === 0;
}

/**
 * Returns a text without what a collation can ignore. A column of another program can have a collation that ignores case, accents
 * or trailing spaces. Some of these collations treat all characters beyond U+FFFF as equal, and `ß` as `s` or `ss`.
 */
/** Compares texts by their letters only: `ø` equals `o`, `æ` equals `ae`, and `あ` equals `ア`, as in some collations. */
const SAME_LETTERS = new Intl.Collator('und', { sensitivity: 'base' });

function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{C}]/gu, '')
    .toLowerCase()
    .replaceAll(/[\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll(/ß|ss/g, 's')
    .replaceAll('ı', 'i')
    .trimEnd();
}
