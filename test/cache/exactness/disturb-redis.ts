import { Redis } from 'ioredis';
import type { Random } from '../../../demo/world/random.js';
import type { PrivateRedis } from '../../services/redis.js';

/** Disturbs a Redis server at random: flushes, stops or restarts it, or replaces values that the service has stored. */
export async function disturbRedis(server: PrivateRedis, random: Random): Promise<void> {
  if (!server.isRunning) return server.restart();
  if (random.chance(0.1)) return server.kill();
  const client = new Redis(server.url, { maxRetriesPerRequest: 0 });
  try {
    const kind = random.below(5);
    if (kind === 0) await client.flushall();
    else if (kind === 1) await client.call('CLIENT', 'PAUSE', '300', 'ALL');
    else await replaceValues(client, random);
  } finally {
    client.disconnect();
  }
}

/** Replaces values by those of other keys, by values of other types, or by arbitrary bytes. */
async function replaceValues(client: Redis, random: Random): Promise<void> {
  const keys = await client.keys('*');
  const values = await Promise.all(keys.map((key) => client.getBuffer(key).catch(() => null)));
  for (const key of keys) {
    if (!random.chance(0.3)) continue;
    const kind = random.below(4);
    if (kind === 0) await client.multi().del(key).rpush(key, 'a', 'b').exec();
    else if (kind === 1) await client.set(key, 'not an answer');
    else {
      const other = random.pick(values);
      const bytes = other === null ? Buffer.from('{') : kind === 2 ? other : other.subarray(0, other.length >> 1);
      await client.set(key, bytes);
    }
  }
}
