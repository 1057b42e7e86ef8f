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
