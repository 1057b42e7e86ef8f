import { type Redis, ReplyError } from 'ioredis';
import type { RedisConnection } from '../../redis/redis.js';

/** Runs commands. Undefined if Redis is unavailable, does not answer in time, or answers with an error. Never rejects. */
export type AskRedis = <T>(work: (client: Redis) => Promise<T>) => Promise<T | undefined>;

/** `onError` receives error replies, such as those of a full Redis. */
export function createAskRedis(redis: RedisConnection, onError: (message: string) => void): AskRedis {
  return async (work) => {
    // An error reply is an answer: Redis is available for the other parts of the service, such as the rate limits.
    const run = () =>
      work(redis.client).catch((error: unknown) => {
        if (!(error instanceof ReplyError)) throw error;
        onError((error as Error).message);
        return undefined;
      });
    return redis.ask(run, false).catch(() => undefined);
  };
}
