import { randomBytes } from 'node:crypto';
import type { AskRedis } from './ask-redis.js';
import { EXTEND_LEASE, RELEASE_LEASE, TAKE_LEASE } from './scripts.js';
import type { Lease } from './shared-answers.js';

/** Takes the lease with this key. `taken` if another process has it, undefined without Redis. */
export async function takeLease(ask: AskRedis, key: string): Promise<Lease | 'taken' | undefined> {
  const token = randomBytes(16).toString('base64url');
  const taken = await ask((client) => TAKE_LEASE.run(client, [key], [token, LEASE_MS]));
  if (taken === undefined) return undefined;
  if (taken !== 1) return 'taken';
  // A holder that ends or blocks does not extend its lease, so the others do not wait for long.
  const extend = () => void ask((client) => EXTEND_LEASE.run(client, [key], [token, LEASE_MS]));
  const timer = setInterval(extend, LEASE_MS / 3).unref();
  return {
    release: async () => {
      clearInterval(timer);
      await ask((client) => RELEASE_LEASE.run(client, [key], [token]));
    },
  };
}

const LEASE_MS = 3_000;
