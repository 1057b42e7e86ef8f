import { hash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { crc32, gunzip, gunzipSync } from 'node:zlib';
import { type Redis, ReplyError } from 'ioredis';
import type { DataVersion } from '../../../databases/interface/data-versions.js';
import type { RedisConnection } from '../../redis/redis.js';
import { RedisScript } from '../../redis/redis-counts.js';
import { gzipBody, MIN_COMPRESSED_BYTES } from '../answer-body.js';
import type { StoredAnswer } from '../stored-answer.js';
import type { Lease, LeaseState, RequestParts, SharedAnswers } from './shared-answers.js';

export interface RedisAnswersOptions {
  readonly redis: RedisConnection;
  /** The limit for the total size of all values, in bytes. */
  readonly maxBytes: number;
  /** Identifies the settings that affect the answers of this service. Only services with equal texts share answers. */
  readonly namespace: string;
}

export function createRedisAnswers(options: RedisAnswersOptions): SharedAnswers {
  return new RedisAnswers(options);
}

class RedisAnswers implements SharedAnswers {
  readonly #options: RedisAnswersOptions;
  readonly #ask: AskRedis;
  /** The number and the bytes of the answers that are being written. */
  #writes = 0;
  #writtenBytes = 0;
  /** The time until which writes are paused because Redis was full, on the monotonic clock. */
  #pausedUntil = -Infinity;

  constructor(options: RedisAnswersOptions) {
    this.#options = options;
    this.#ask = createAskRedis(options.redis, (message) => this.#onError(message));
  }

  async get(key: string, request: RequestParts): Promise<StoredAnswer | undefined> {
    const id = this.#idOf(key);
    const value = await this.#ask((client) => client.getBuffer(VALUE_PREFIX + id));
    if (value === undefined || value === null) return undefined;
    const answer = await decodeAnswer(value, key, request).catch(() => undefined);
    if (answer !== undefined && Math.random() < TOUCHED_SHARE) {
      void this.#ask((client) => TOUCH.run(client, [INDEX], [id]));
    }
    return answer;
  }

  fits({ bodyBytes, gzip }: StoredAnswer): boolean {
    // If the compressed size is unknown, it is estimated: compression usually makes text at least three times smaller.
    return (gzip?.length ?? bodyBytes / 3) <= this.#options.maxBytes * MAX_ENTRY_SHARE;
  }

  async put(key: string, answer: StoredAnswer): Promise<void> {
    const bytes = answer.bodyBytes;
    const isBusy = this.#writes >= MAX_WRITES || (this.#writes > 0 && this.#writtenBytes + bytes > MAX_WRITTEN_BYTES);
    if (isBusy || performance.now() < this.#pausedUntil) return;
    this.#writes += 1;
    this.#writtenBytes += bytes;
    try {
      const value = await encodeAnswer(key, answer);
      if (value.length <= this.#options.maxBytes * MAX_ENTRY_SHARE) await this.#write(this.#idOf(key), value);
    } catch {
      // If compression fails, the answer is not stored.
    } finally {
      this.#writes -= 1;
      this.#writtenBytes -= bytes;
    }
  }

  lease(key: string): Promise<Lease | 'taken' | undefined> {
    return takeLease(this.#ask, LEASE_PREFIX + this.#idOf(key));
  }

  leaseState(key: string): Promise<LeaseState> {
    return readLease(this.#ask, LEASE_PREFIX + this.#idOf(key));
  }

  async #write(id: string, value: Buffer): Promise<void> {
    const { maxBytes } = this.#options;
    const keys = [VALUE_PREFIX + id, INDEX, SIZES];
    await this.#ask((client) => PUT.run(client, keys, [id, value, LIFETIME_MS, Math.floor(maxBytes), VALUE_PREFIX]));
  }

  /** Removes all answers if Redis is full, because otherwise Redis could not count requests for the rate limits. */
  #onError(message: string): void {
    if (!/\bOOM\b/.test(message) || performance.now() < this.#pausedUntil) return;
    this.#pausedUntil = performance.now() + PAUSE_MS;
    void this.#ask((client) => REMOVE_ALL.run(client, [INDEX, SIZES], [VALUE_PREFIX]));
  }

  #idOf(key: string): string {
    return hash('sha256', `${this.#options.namespace}\0${key}`, 'base64url');
  }
}

const VALUE_PREFIX = 'repo-insight:answer:';
const LEASE_PREFIX = 'repo-insight:answer-lease:';
const INDEX = 'repo-insight:answers:index';
const SIZES = 'repo-insight:answers:sizes';
const LIFETIME_MS = 24 * 3_600_000;
/** An answer that needs a larger share of `maxBytes` is not stored. */
const MAX_ENTRY_SHARE = 1 / 16;
/** The share of cache hits that update the time of the last use. */
const TOUCHED_SHARE = 0.1;
/** Limits for concurrent writes. Answers beyond these limits are not stored. */
const MAX_WRITES = 64;
const MAX_WRITTEN_BYTES = 32 * 1024 * 1024;
/** The time for which no answer is stored after Redis was full. */
const PAUSE_MS = 10_000;

/** Takes the lease with this key. Returns `taken` if another process has it, and undefined if Redis is unavailable. */
async function takeLease(ask: AskRedis, key: string): Promise<Lease | 'taken' | undefined> {
  const token = randomBytes(16).toString('base64url');
  const taken = await ask((client) => TAKE_LEASE.run(client, [key], [token, LEASE_MS]));
  if (taken === undefined) return undefined;
  if (taken !== 1) return 'taken';
  // The lease is short and must be extended: if its holder ends or blocks, other processes do not wait for long.
  const extend = () => void ask((client) => EXTEND_LEASE.run(client, [key], [token, LEASE_MS]));
  const timer = setInterval(extend, LEASE_MS / 3).unref();
  return {
    release: async (isShared = true) => {
      clearInterval(timer);
      await ask((client) => RELEASE_LEASE.run(client, [key], [token, isShared ? 0 : UNSHARED_MS]));
    },
  };
}

/** Returns the state of the lease with this key. A lease that cannot be read counts as free. */
async function readLease(ask: AskRedis, key: string): Promise<LeaseState> {
  const token = await ask((client) => client.get(key));
  if (token === undefined || token === null) return 'free';
  return token === '' ? 'unshared' : 'taken';
}

const LEASE_MS = 3_000;
/** After an answer could not be stored, no process waits for a lease on it during this time. */
const UNSHARED_MS = 1_000;

/** Runs Redis commands. Resolves to undefined if Redis is unavailable, does not answer in time, or answers with an error. Never rejects. */
type AskRedis = <T>(work: (client: Redis) => Promise<T>) => Promise<T | undefined>;

/** `onError` receives error replies, such as those of a full Redis. */
function createAskRedis(redis: RedisConnection, onError: (message: string) => void): AskRedis {
  return async (work) => {
    // An error reply does not mean that Redis is unavailable for other parts of the service, such as the rate limits.
    const run = () =>
      work(redis.client).catch((error: unknown) => {
        if (!(error instanceof ReplyError)) throw error;
        onError((error as Error).message);
        return undefined;
      });
    return redis.ask(run, false).catch(() => undefined);
  };
}

/** The time of the Redis server in milliseconds, with a fraction. This time is used because the clocks of the processes differ. */
const NOW = `local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000`;

/**
 * Stores a value. Removes the least recently used values while the total size of all values exceeds the budget.
 *
 * Keys: the value, the index (a sorted set of ids by their last use) and the sizes (a hash of bytes by id, and their
 * `total`). Keys of the index and the sizes that have another type are replaced. Arguments: the id, the value, its time to
 * live in milliseconds, the budget in bytes, and the prefix of the keys of values.
 */
const PUT = new RedisScript(`
local value, index, sizes = KEYS[1], KEYS[2], KEYS[3]
local id, ttl, budget, prefix = ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local function replace(key, expected)
  local found = redis.call('TYPE', key).ok
  if found ~= expected and found ~= 'none' then redis.call('DEL', key) end
end
replace(index, 'zset')
replace(sizes, 'hash')
local total = tonumber(redis.call('HGET', sizes, 'total') or '0')
if total == nil then
  redis.call('DEL', index, sizes)
  total = 0
end
local function size_of(member)
  return tonumber(redis.call('HGET', sizes, member) or '0') or 0
end
local function remove(member)
  total = total - size_of(member)
  redis.call('UNLINK', prefix .. member)
  redis.call('ZREM', index, member)
  redis.call('HDEL', sizes, member)
end
local size = #ARGV[2] + 300
redis.call('SET', value, ARGV[2], 'PX', ttl)
total = total - size_of(id) + size
${NOW}
redis.call('ZADD', index, now, id)
redis.call('HSET', sizes, id, size)
for _, member in ipairs(redis.call('ZRANGEBYSCORE', index, '-inf', now - ttl, 'LIMIT', 0, 100)) do remove(member) end
for _ = 1, 1000 do
  local oldest = total > budget and redis.call('ZRANGE', index, 0, 0)[1]
  if not oldest then break end
  remove(oldest)
end
if redis.call('ZCARD', index) == 0 then
  redis.call('DEL', sizes)
  total = 0
end
redis.call('HSET', sizes, 'total', total)
redis.call('PEXPIRE', index, 2 * ttl)
redis.call('PEXPIRE', sizes, 2 * ttl)
return total`);

/** Updates the time of the last use of a value, if it is in the index. Key: the index. Argument: the id. */
const TOUCH = new RedisScript(`
${NOW}
return redis.call('ZADD', KEYS[1], 'XX', now, ARGV[1])`);

/**
 * Removes values. The script writes nothing, so that it also works when Redis is full. Keys: the index and the sizes.
 * Argument: the prefix of the keys of values.
 */
const REMOVE_ALL = new RedisScript(`
if redis.call('TYPE', KEYS[1]).ok == 'zset' then
  for _, member in ipairs(redis.call('ZRANGE', KEYS[1], 0, 999)) do redis.call('UNLINK', ARGV[1] .. member) end
  redis.call('ZREMRANGEBYRANK', KEYS[1], 0, 999)
end
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('DEL', KEYS[2]) end
return 1`);

/**
 * Takes a lease. If the key contains something else than a lease of this program, it is replaced. Key: the lease.
 * Arguments: the token of the holder, and the milliseconds until the lease expires.
 */
const TAKE_LEASE = new RedisScript(`
local found = redis.call('TYPE', KEYS[1]).ok
if found ~= 'none' then
  local left = redis.call('PTTL', KEYS[1])
  if found ~= 'string' or left < 0 or left > tonumber(ARGV[2]) then redis.call('DEL', KEYS[1]) end
end
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end
return 0`);

/** Extends a lease if its value is still this token. */
const EXTEND_LEASE = new RedisScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0`);

/**
 * Releases a lease if its value is still this token: after it expired, another process may have taken it. Key: the
 * lease. Arguments: the token, and a time in milliseconds for which an empty text replaces the lease, so that no
 * process waits for an answer that cannot be stored; 0 for none.
 */
const RELEASE_LEASE = new RedisScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[2] == '0' then return redis.call('DEL', KEYS[1]) end
redis.call('SET', KEYS[1], '', 'PX', ARGV[2])
return 1`);

/**
 * Encodes an answer as a Redis value: the format, a checksum of the rest, the length of the header, the header as JSON,
 * and the body, which is compressed unless it is small.
 */
async function encodeAnswer(key: string, answer: StoredAnswer): Promise<Buffer> {
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
async function decodeAnswer(value: Buffer, key: string, request: RequestParts): Promise<StoredAnswer | undefined> {
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
