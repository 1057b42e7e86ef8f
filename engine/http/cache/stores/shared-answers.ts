import type { StoredAnswer } from '../stored-answer.js';

/** The right to compute an answer, while other processes wait. It expires without its holder. */
export interface Lease {
  /** `isShared` is false if the answer was computed, but cannot be stored. Then the others compute it at once. */
  release(isShared?: boolean): Promise<void>;
}

/** `unshared`: a process computed the answer a moment ago and could not store it, so each process computes it. */
export type LeaseState = 'free' | 'taken' | 'unshared';

/** What a stored value does not contain, because the request contains it. */
export type RequestParts = Pick<StoredAnswer, 'endpoint' | 'parameters' | 'representation'>;

/** Level 2: answers that processes share. Its methods never reject; without Redis they find and store nothing. */
export interface SharedAnswers {
  get(key: string, parts: RequestParts): Promise<StoredAnswer | undefined>;
  /** Whether an answer of this size can be stored. */
  fits(answer: StoredAnswer): boolean;
  put(key: string, answer: StoredAnswer): Promise<void>;
  /** Returns the lease of a key, `taken` if another process has it, and undefined without Redis. */
  lease(key: string): Promise<Lease | 'taken' | undefined>;
  /** Returns who computes the answer with a key. */
  leaseState(key: string): Promise<LeaseState>;
}
