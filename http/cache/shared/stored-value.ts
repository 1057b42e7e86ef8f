import { promisify } from 'node:util';
import { crc32, gunzip, gunzipSync } from 'node:zlib';
import type { DataVersion } from '../../../engine/index.js';
import { gzipBody, MIN_COMPRESSED_BYTES } from '../compress-answer.js';
import type { StoredAnswer } from '../stored-answer.js';
import type { RequestParts } from './shared-answers.js';

/**
 * Writes an answer as a value of Redis: the format, a checksum of the rest, the length of the header, the header as JSON, and the
 * body, which is compressed unless it is small.
 */
export async function encodeAnswer(key: string, answer: StoredAnswer): Promise<Buffer> {
  const { body } = answer;
  const gzip = body.length < MIN_COMPRESSED_BYTES ? undefined : (answer.gzip ?? (await gzipBody(body)));
  const { identity, metadataStart, hash, nextPage, version, versions, computedAt, validUntil, staleFrom } = answer;
  const header: Header = {
    key,
    ...{ identity, metadataStart, hash, nextPage, version, computedAt },
    versions: [...versions],
    validUntil: finite(validUntil),
    staleFrom: finite(staleFrom),
    bodyBytes: body.length,
    isCompressed: gzip !== undefined,
  };
  const headerBytes = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(headerBytes.length);
  const rest = [length, headerBytes, gzip ?? body];
  return Buffer.concat([FORMAT, checksumOf(rest), ...rest]);
}

/** Reads a value of Redis. Undefined if it is not a complete answer to the request with this key. */
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
  const { key: storedKey, bodyBytes, isCompressed, validUntil, staleFrom, versions, ...header } = stored;
  if (storedKey !== key) return undefined;
  const sent = rest.subarray(bodyStart);
  const body = isCompressed ? await decompress(sent, bodyBytes) : sent;
  if (body.length !== bodyBytes) return undefined;
  return {
    ...request,
    ...header,
    body,
    gzip: isCompressed ? sent : undefined,
    brotli: undefined,
    // JSON omits undefined members.
    nextPage: header.nextPage,
    version: header.version,
    versions: new Map(versions),
    validUntil: validUntil ?? Number.POSITIVE_INFINITY,
    staleFrom: staleFrom ?? Number.POSITIVE_INFINITY,
  };
}

interface Header
  extends Pick<StoredAnswer, 'identity' | 'metadataStart' | 'hash' | 'nextPage' | 'version' | 'computedAt'> {
  readonly key: string;
  readonly versions: readonly (readonly [string, DataVersion])[];
  /** Null for Infinity, which JSON cannot represent. */
  readonly validUntil: number | null;
  readonly staleFrom: number | null;
  readonly bodyBytes: number;
  readonly isCompressed: boolean;
}

/** Must be changed with the format of values and of bodies. Values of other formats are ignored. */
const FORMAT = Buffer.from('repo-insight answer 2\n');
const CHECKSUM_BYTES = 4;

/** The checksum finds damage. A program that may write to this Redis could also write a valid value. */
function checksumOf(parts: readonly Buffer[]): Buffer {
  let sum = 0;
  for (const part of parts) sum = crc32(part, sum);
  const bytes = Buffer.allocUnsafe(CHECKSUM_BYTES);
  bytes.writeUInt32BE(sum);
  return bytes;
}

/** Small bodies are decompressed at once: the way to the thread pool and back takes several times as long. */
async function decompress(sent: Buffer, bodyBytes: number): Promise<Buffer> {
  const options = { maxOutputLength: bodyBytes };
  return bodyBytes <= MAX_SMALL_BYTES
    ? gunzipSync(sent, { ...options, chunkSize: bodyBytes })
    : fromGzip(sent, options);
}

const MAX_SMALL_BYTES = 65_536;

function finite(time: number): number | null {
  return Number.isFinite(time) ? time : null;
}

const fromGzip = promisify(gunzip) as (body: Buffer, options: object) => Promise<Buffer>;
