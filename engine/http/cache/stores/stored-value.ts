import { promisify } from 'node:util';
import { crc32, gunzip, gunzipSync } from 'node:zlib';
import type { DataVersion } from '../../../databases/interface/data-versions.js';
import { gzipBody, MIN_COMPRESSED_BYTES } from '../compress-answer.js';
import type { StoredAnswer } from '../stored-answer.js';
import type { RequestParts } from './shared-answers.js';

/**
 * Encodes an answer as a Redis value: the format, a checksum of the rest, the length of the header, the header as JSON,
 * and the body, which is compressed unless it is small.
 */
export async function encodeAnswer(key: string, answer: StoredAnswer): Promise<Buffer> {
  const { body, bodyBytes } = answer;
  const gzip = bodyBytes < MIN_COMPRESSED_BYTES ? undefined : (answer.gzip ?? (await gzipBody(body)));
  const { identity, rows, metadataStart, hash, facts, nextPage, nextCursor, version, versions } = answer;
  const { computedAt, validUntil, staleFrom } = answer;
  const header: Header = {
    key,
    ...{ identity, rows, metadataStart, hash, facts, nextPage, nextCursor, version, computedAt },
    versions: [...versions],
    validUntil: finite(validUntil),
    staleFrom: finite(staleFrom),
    bodyBytes,
    isCompressed: gzip !== undefined,
  };
  const headerBytes = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(headerBytes.length);
  const rest = [length, headerBytes, gzip ?? body];
  return Buffer.concat([FORMAT, checksumOf(rest), ...rest]);
}

/** Decodes a Redis value. Returns undefined if it is not a complete answer to the request with this key. */
export async function decodeAnswer(
  value: Buffer,
  key: string,
  request: RequestParts,
): Promise<StoredAnswer | undefined> {
  const rest = value.subarray(FORMAT.length + CHECKSUM_BYTES);
  if (!value.subarray(0, FORMAT.length).equals(FORMAT) || rest.length < 4) return undefined;
  if (!value.subarray(FORMAT.length, FORMAT.length + CHECKSUM_BYTES).equals(checksumOf([rest]))) return undefined;
  const bodyStart = 4 + rest.readUInt32BE(0);
  const stored = JSON.parse(rest.toString('utf8', 4, bodyStart)) as Header;
  const { key: storedKey, isCompressed, validUntil, staleFrom, versions, ...header } = stored;
  if (storedKey !== key) return undefined;
  const sent = ownBytes(rest.subarray(bodyStart));
  const { bodyBytes } = header;
  let body = isCompressed ? undefined : sent;
  if (isCompressed && bodyBytes > MAX_LAZY_BYTES) body = await decompress(sent, { maxOutputLength: bodyBytes });
  if (body !== undefined && body.length !== bodyBytes) return undefined;
  return {
    ...request,
    ...header,
    get body() {
      body ??= gunzipSync(sent, { maxOutputLength: bodyBytes, chunkSize: bodyBytes });
      return body;
    },
    gzip: isCompressed ? sent : undefined,
    brotli: undefined,
    // These members are undefined if the JSON omits them.
    facts: header.facts,
    nextPage: header.nextPage,
    nextCursor: header.nextCursor,
    version: header.version,
    versions: new Map(versions),
    validUntil: validUntil ?? Number.POSITIVE_INFINITY,
    staleFrom: staleFrom ?? Number.POSITIVE_INFINITY,
  };
}

interface Header
  extends Pick<
    StoredAnswer,
    | 'identity'
    | 'rows'
    | 'bodyBytes'
    | 'metadataStart'
    | 'hash'
    | 'facts'
    | 'nextPage'
    | 'nextCursor'
    | 'version'
    | 'computedAt'
  > {
  readonly key: string;
  readonly versions: readonly (readonly [string, DataVersion])[];
  /** `StoredAnswer.validUntil`, but null for Infinity, which JSON cannot represent. */
  readonly validUntil: number | null;
  readonly staleFrom: number | null;
  readonly isCompressed: boolean;
}

/** The format of values. Change it when the format of values or bodies changes. Values with another format are ignored. */
const FORMAT = Buffer.from('repo-insight answer 5\n');
const CHECKSUM_BYTES = 4;

/** Returns a checksum that detects damage, but does not protect against programs that may write to Redis. */
function checksumOf(parts: readonly Buffer[]): Buffer {
  let sum = 0;
  for (const part of parts) sum = crc32(part, sum);
  const bytes = Buffer.allocUnsafe(CHECKSUM_BYTES);
  bytes.writeUInt32BE(sum);
  return bytes;
}

/** Copies a small part of a large buffer, because the part would keep the whole buffer in memory. */
function ownBytes(bytes: Buffer): Buffer {
  return bytes.buffer.byteLength > 2 * bytes.length ? Buffer.from(bytes) : bytes;
}

function finite(time: number): number | null {
  return Number.isFinite(time) ? time : null;
}

/**
 * Bodies up to this size are decompressed only when a client needs them, because most clients accept the compressed
 * form. Larger bodies are decompressed early in the thread pool, so that they do not block the event loop.
 */
const MAX_LAZY_BYTES = 65_536;
const decompress = promisify(gunzip) as (body: Buffer, options: object) => Promise<Buffer>;
