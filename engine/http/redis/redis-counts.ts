import { hash } from 'node:crypto';
import type { Redis } from 'ioredis';

/** A Lua script that Redis runs by its hash. The text of the script is sent only if Redis does not know the script yet. */
export class RedisScript {
  readonly #text: string;
  readonly #hash: string;

  constructor(text: string) {
    this.#text = text;
    this.#hash = hash('sha1', text);
  }

  async run(client: Redis, keys: readonly string[], values: readonly (string | number | Buffer)[]): Promise<unknown> {
    try {
      return await client.evalsha(this.#hash, keys.length, ...keys, ...values);
    } catch (error) {
      // The error class is not checked: importing it would load the Redis client even in a service without Redis.
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return client.eval(this.#text, keys.length, ...keys, ...values);
    }
  }
}

/** A count that a call of `takeInRedis` increments. If one count of a call has reached its limit, no count is incremented. */
export interface SharedCount {
  readonly key: string;
  readonly points: number;
  readonly windowMs: number;
  /**
   * The count in memory; `knownLeftMs` is the remaining time of its window. Redis uses both if it has lost its own
   * count.
   */
  readonly known: number;
  readonly knownLeftMs: number;
}

export interface SharedResult {
  /** Whether the call incremented all counts. If false, it incremented no count. */
  readonly isTaken: boolean;
  /** The counts after the call, and the milliseconds until their windows end. */
  readonly counts: readonly { readonly count: number; readonly leftMs: number }[];
}

/** Increments all counts by one, or none of them, in one atomic script. */
export async function takeInRedis(client: Redis, counts: readonly SharedCount[]): Promise<SharedResult> {
  const limits = counts.flatMap(({ points, windowMs, known, knownLeftMs }) => {
    return [points, windowMs, known, Math.max(1, Math.floor(knownLeftMs))];
  });
  const keys = counts.map(({ key }) => key);
  const [isTaken, ...numbers] = (await TAKE.run(client, keys, limits)) as number[];
  return {
    isTaken: isTaken === 1,
    counts: counts.map((_, index) => ({ count: numbers[2 * index] ?? 0, leftMs: numbers[2 * index + 1] ?? 0 })),
  };
}

const TAKE = new RedisScript(`
local counts, taken = {}, 1
for i, key in ipairs(KEYS) do
  local points, known = tonumber(ARGV[4 * i - 3]), tonumber(ARGV[4 * i - 1])
  counts[i] = tonumber(redis.call('GET', key) or '0')
  if counts[i] < known then
    counts[i] = known
    redis.call('SET', key, known, 'PX', ARGV[4 * i])
  end
  if counts[i] >= points then taken = 0 end
end
local answer = { taken }
for i, key in ipairs(KEYS) do
  if taken == 1 then
    counts[i] = redis.call('INCR', key)
    if redis.call('PTTL', key) < 0 then redis.call('PEXPIRE', key, ARGV[4 * i - 2]) end
  end
  table.insert(answer, counts[i])
  table.insert(answer, redis.call('PTTL', key))
end
return answer`);
