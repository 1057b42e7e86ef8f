import type { StoredAnswer } from '../stored-answer.js';

/** The right of one process to compute an answer, while other processes wait. It expires if its holder ends. */
export interface Lease {
  /** `isShared` is false if the answer was computed but cannot be stored. Other processes then compute it immediately. */
  release(isShared?: boolean): Promise<void>;
}

/** `unshared`: a process computed the answer a moment ago and could not store it, so each process computes it. */
export type LeaseState = 'free' | 'taken' | 'unshared';

/** The parts of an answer that are not in the stored value, because the request contains them. */
export type RequestParts = Pick<StoredAnswer, 'endpoint' | 'parameters' | 'representation'>;

/** Level 2 of the cache: answers that processes share in Redis. Methods never reject; without Redis, they find and store nothing. */
export interface SharedAnswers {
  get(key: string, parts: RequestParts): Promise<StoredAnswer | undefined>;
  /** Whether an answer is small enough to be stored. */
  fits(answer: StoredAnswer): boolean;
  put(key: string, answer: StoredAnswer): Promise<void>;
  /** Takes the lease of a key. Returns `taken` if another process has it, and undefined if Redis is unavailable. */
  lease(key: string): Promise<Lease | 'taken' | undefined>;
  /** Returns the state of the lease of a key. */
  leaseState(key: string): Promise<LeaseState>;
}
