import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { Answer } from '../../answers/answer.js';
import type { RequestIdentity } from '../../answers/read-answer.js';
import type { DataVersion } from '../../databases/interface/data-versions.js';
import type { CacheRule } from '../../definitions/endpoint/endpoint.js';
import { ageChangesAt, type EnvelopeResult, toEnvelope } from '../envelopes/envelope.js';
import { type NamedQueryEnvelope, toQueryEnvelope } from '../envelopes/query-envelope.js';
import { type AnswerFacts, factsOf } from '../formats/answer-facts.js';
import { createRowEncoder, encodeAnswer } from '../formats/encode-rows.js';
import { isRowFormat, type RowFormat } from '../formats/format.js';
import { remember } from '../remember.js';
import type { EncodedBody, Representation, StoredAnswer } from './stored-answer.js';

export type AnswerBody = Pick<StoredAnswer, 'body' | 'bodyBytes' | 'metadataStart' | 'hash' | 'facts'>;

/** Writes the body of an answer. Bodies for `/q` also contain `expiresAt`. */
export function writeBody(answer: Answer, representation: Representation, expiresAt?: Date): AnswerBody {
  if (isRowFormat(representation)) {
    const { body, endBytes, facts } = encodeAnswer(representation, answer.endpoint, answer.rows, factsOf(answer));
    return {
      body,
      bodyBytes: body.length,
      metadataStart: body.length - endBytes,
      hash: hashOfRows(body, facts),
      facts,
    };
  }
  if (representation === 'envelope') {
    const envelope = toEnvelope(answer);
    return splitBody(JSON.stringify(envelope), writeResult(envelope.data.result));
  }
  const envelope = toQueryEnvelope(answer, expiresAt);
  const { dataAsOf, stale, truncated, notices } = envelope;
  return splitBody(JSON.stringify(envelope), writeQueryMetadata({ dataAsOf, stale, truncated, notices }));
}

/**
 * Writes the body of a cached answer whose data can be outdated. The body is marked as stale, has an additional notice, and states the age
 * at `now`. The rows are copied and not parsed, because the service does this for every request while the database is unavailable.
 */
export function writeStaleBody(stored: StoredAnswer, notice: string, now: Date): AnswerBody {
  const { body: last, metadataStart, hash, representation, facts } = stored;
  if (facts !== undefined) {
    const staleFacts = { ...facts, stale: true, notices: [...facts.notices, notice] };
    const encoder = createRowEncoder(representation as RowFormat, stored.endpoint);
    const body = Buffer.concat([last.subarray(0, metadataStart), Buffer.from(encoder.end(staleFacts))]);
    return { body, bodyBytes: body.length, metadataStart, hash: hashOfRows(body, staleFacts), facts: staleFacts };
  }
  const text = last.toString('utf8', metadataStart);
  const metadata = representation === 'envelope' ? staleResult(text, notice, now) : staleQueryMetadata(text, notice);
  const body = Buffer.concat([last.subarray(0, metadataStart), Buffer.from(metadata)]);
  return {
    body,
    bodyBytes: body.length,
    metadataStart,
    hash: hashOf(hash + metadata),
    facts: undefined,
  };
}

/** Returns a hash, for ETags and for checking stored bodies. */
export function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, HASH_LENGTH);
}

/** Returns the hash of an answer with only rows. The hash includes the metadata, which are in headers and not in the body. */
function hashOfRows(body: Buffer, facts: AnswerFacts): string {
  return hashOf(hashOf(body) + JSON.stringify(facts));
}

/** The number of base64url characters of a hash: 132 bits. */
const HASH_LENGTH = 22;

/** The members of a `/q` envelope that follow the rows. */
type QueryMetadata = Pick<NamedQueryEnvelope, 'dataAsOf' | 'stale' | 'truncated' | 'notices'>;

/** Writes the end of an envelope, with the metadata. The metadata are the last bytes of a body, so that a stale body differs only there. */
function writeResult(result: EnvelopeResult): string {
  return `${JSON.stringify(result)}}}`;
}

function writeQueryMetadata(metadata: QueryMetadata): string {
  return JSON.stringify(metadata).slice(1);
}

function splitBody(text: string, metadata: string): AnswerBody {
  const body = Buffer.from(text);
  const metadataStart = body.length - Buffer.byteLength(metadata);
  if (!text.endsWith(metadata)) throw new Error('the metadata of an envelope are not at its end');
  return { body, bodyBytes: body.length, metadataStart, hash: hashOf(body), facts: undefined };
}

function staleResult(text: string, notice: string, now: Date): string {
  const result = JSON.parse(text.slice(0, -2)) as EnvelopeResult;
  const { data_as_of, age_ms, notices } = result;
  // The age grows with the time since the data were read, but is never less than the age at that time.
  const ageMs =
    age_ms === null || data_as_of === null ? null : Math.max(age_ms, now.getTime() - Date.parse(data_as_of));
  return writeResult({ ...result, age_ms: ageMs, stale: true, notices: [...notices, notice] });
}

function staleQueryMetadata(text: string, notice: string): string {
  const metadata = JSON.parse(`{${text}`) as QueryMetadata;
  return writeQueryMetadata({ ...metadata, stale: true, notices: [...metadata.notices, notice] });
}

export interface Computation {
  readonly identity: RequestIdentity;
  readonly rule: CacheRule;
  readonly representation: Representation;
  /** The system time before the query, in milliseconds since 1970. */
  readonly computedAt: number;
}

/** Creates the answer to store and send from the result of a query. */
export function createAnswer(answer: Answer, computation: Computation): StoredAnswer {
  const { identity, rule, representation, computedAt } = computation;
  const { endpoint, parameters, nextPage, nextCursor, startedAt, finishedAt, versions = NO_VERSIONS } = answer;
  const ofSystem = (ms: number) => ms - startedAt.getTime() + computedAt;
  const isTimed = rule.kind === 'timed';
  const endOfTtl = isTimed ? computedAt + rule.ttlMs : Infinity;
  const validUntil = Math.min(endOfTtl, ofSystem(identity.validUntil));
  return {
    endpoint,
    parameters,
    representation,
    identity: identity.key,
    rows: answer.rows.length,
    ...writeBody(answer, representation, isTimed ? new Date(validUntil) : undefined),
    gzip: undefined,
    brotli: undefined,
    nextPage,
    nextCursor: nextCursor ?? undefined,
    version: isTimed ? undefined : newestOf(versions),
    versions,
    computedAt,
    validUntil,
    staleFrom: ofSystem(ageChangesAt(answer, finishedAt)),
  };
}

/** Whether an answer can be stored: it is complete, and it has a version for every table of the cache rule. */
export function isStorable(answer: Answer, { identity, rule }: Computation): boolean {
  if (rule.kind === 'never' || !answer.isComplete) return false;
  // The keys differ if a new second, hour or day began between reading the request and running its query.
  if (answer.key !== identity.key) return false;
  if (rule.kind === 'timed') return true;
  return answer.versions !== undefined && [...rule.tables].every((table) => answer.versions?.has(table));
}

const NO_VERSIONS: ReadonlyMap<string, DataVersion> = new Map();

function newestOf(versions: ReadonlyMap<string, DataVersion>): DataVersion | undefined {
  let newest: DataVersion | undefined;
  for (const version of versions.values()) {
    if (newest === undefined || Number.parseInt(version, 10) > Number.parseInt(newest, 10)) newest = version;
  }
  return newest;
}

export type Encoding = 'br' | 'gzip' | 'deflate' | 'identity';

/** The encoding of a response, and the stored bytes with this encoding; no bytes if the body must be compressed while it is sent. */
interface EncodingChoice {
  readonly encoding: Encoding;
  readonly bytes: Buffer | undefined;
}

/**
 * Chooses the encoding that the client prefers. Encodings with stored bytes take precedence over others. If the answer
 * is sent repeatedly (`isRepeated`), it is not compressed for each request: it is sent uncompressed, unless the client
 * does not accept this.
 */
export function chooseEncoding(
  answer: EncodedBody,
  acceptEncoding: string | undefined,
  isRepeated: boolean,
): EncodingChoice {
  if (acceptEncoding === undefined || answer.bodyBytes < MIN_COMPRESSED_BYTES) return plainForm(answer);
  const accepted = acceptedEncodings(acceptEncoding);
  let unstored: Encoding | undefined;
  for (const encoding of accepted) {
    if (encoding === 'identity') break;
    const bytes = bytesIn(answer, encoding);
    if (bytes !== undefined) return { encoding, bytes };
    unstored ??= encoding;
  }
  if (unstored === undefined || (isRepeated && accepted.includes('identity'))) return plainForm(answer);
  return { encoding: unstored, bytes: undefined };
}

function plainForm({ body }: EncodedBody): EncodingChoice {
  return { encoding: 'identity', bytes: body };
}

/**
 * Returns the encodings that the header `Accept-Encoding` accepts, the preferred one first. The order is the same as in
 * the middleware `compression`, so that stored answers and other responses have the same encoding.
 */
const acceptedEncodings = remember<readonly Encoding[]>((header) => orderOf(header), {
  // A small cache is enough, because browsers and libraries send few different headers.
  maxResults: 500,
  maxLength: 200,
});

const SUPPORTED: readonly Encoding[] = ['br', 'gzip', 'deflate', 'identity'];
/** Encodings that precede all others of equal quality. */
const PREFERRED: readonly Encoding[] = ['br', 'gzip'];

function bytesIn({ brotli, gzip }: EncodedBody, encoding: Encoding): Buffer | undefined {
  if (encoding === 'br') return brotli;
  return encoding === 'gzip' ? gzip : undefined;
}

/** One element of the header: `gzip;q=0.5`. */
interface Accepted {
  readonly name: string;
  readonly quality: number;
  readonly place: number;
}

function orderOf(header: string): Encoding[] {
  const elements = header.split(',');
  const list = elements.flatMap((element, place) => readElement(element.trim(), place));
  if (!list.some(({ name }) => name === 'identity' || name === '*')) {
    // A client that does not mention `identity` accepts it, but prefers every encoding that it does mention.
    const quality = Math.min(1, ...list.map((accepted) => accepted.quality || 1));
    list.push({ name: 'identity', quality, place: elements.length });
  }
  return SUPPORTED.flatMap((encoding) => {
    const best = bestFor(list, encoding) ?? bestFor(list, '*');
    return best !== undefined && best.quality > 0 ? [{ encoding, ...best }] : [];
  })
    .sort((a, b) => b.quality - a.quality || rank(a.encoding) - rank(b.encoding) || compareOthers(a, b))
    .map(({ encoding }) => encoding);
}

function readElement(text: string, place: number): Accepted[] {
  const [, name, parameters = ''] = /^([^\s;]+)\s*(?:;(.*))?$/.exec(text) ?? [];
  if (name === undefined) return [];
  const pair = parameters.split(';').map((parameter) => parameter.trim().split('='));
  const quality = pair.find(([key]) => key === 'q')?.[1];
  const isSet = pair.some(([key]) => key === 'q');
  return [{ name: name.toLowerCase(), quality: isSet ? Number.parseFloat(quality ?? '') : 1, place }];
}

function bestFor(list: readonly Accepted[], name: string): Accepted | undefined {
  return list
    .filter((accepted) => accepted.name === name)
    .reduce<Accepted | undefined>(
      (best, one) => (best === undefined || one.quality > best.quality ? one : best),
      undefined,
    );
}

function rank(encoding: Encoding): number {
  const index = PREFERRED.indexOf(encoding);
  return index < 0 ? PREFERRED.length : index;
}

/** Encodings that the header names precede those that match only `*`; then the order of the header applies. */
function compareOthers(a: Accepted, b: Accepted): number {
  return Number(a.name === '*') - Number(b.name === '*') || a.place - b.place;
}

/**
 * Bodies below this size are not compressed, because they fit into one network packet anyway. The middleware
 * `compression` has the same limit.
 */
export const MIN_COMPRESSED_BYTES = 1_024;

/** Returns the answer with its compressed forms. They are created once, in the thread pool, so that the event loop is not blocked. */
export async function compressAnswer<Answer extends EncodedBody>(answer: Answer): Promise<Answer> {
  if (answer.bodyBytes < MIN_COMPRESSED_BYTES) return answer;
  const { body } = answer;
  const [gzipped, brotli] = await Promise.all([answer.gzip ?? gzipBody(body), answer.brotli ?? brotliBody(body)]);
  return { ...answer, gzip: gzipped, brotli };
}

export function gzipBody(body: Buffer): Promise<Buffer> {
  return toGzip(body);
}

function brotliBody(body: Buffer): Promise<Buffer> {
  const params = { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [zlib.BROTLI_PARAM_SIZE_HINT]: body.length };
  return toBrotli(body, { params });
}

/** Higher qualities take several times as long and save a few percent. */
const BROTLI_QUALITY = 4;
const toGzip = promisify<Buffer, Buffer>((body, done) => gzip(body, done));
const toBrotli = promisify(brotliCompress) as (body: Buffer, options: object) => Promise<Buffer>;
