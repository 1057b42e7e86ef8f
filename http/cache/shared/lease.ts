import { randomBytes } from 'node:crypto';
import type { AskRedis } from './ask-redis.js';
import { EXTEND_LEASE, RELEASE_LEASE, TAKE_LEASE } from './scripts.js';
import type { Lease, LeaseState } from './shared-answers.js';

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
    release: async (isShared = true) => {
      clearInterval(timer);
      await ask((client) => RELEASE_LEASE.run(client, [key], [token, isShared ? 0 : UNSHARED_MS]));
    },
  };
}

/** Returns who computes the answer with this lease. A lease that cannot be read is free. */
export async function readLease(ask: AskRedis, key: string): Promise<LeaseState> {
  const token = await ask((client) => client.get(key));
  if (token === undefined || token === null) return 'free';
  return token === '' ? 'unshared' : 'taken';
}

const LEASE_MS = 3_000;
/** For this time after an answer that cannot be shared, no process waits for another one. */
const UNSHARED_MS = 1_000;
