import { hash } from 'node:crypto';
import type { Redis } from 'ioredis';

/** A Lua script that Redis runs by its hash. Its text is only sent to a Redis that does not know the script. */
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
      // The class of the error is not imported, because a service without Redis does not load its client.
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return client.eval(this.#text, keys.length, ...keys, ...values);
    }
  }
}
