import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from '../../../answers/engine.js';
import type { Deadline } from '../../../databases/interface/deadline.js';
import { cancelledError } from '../../../databases/interface/errors.js';
import { createAnswer, isStorable } from '../answer-body.js';
import type { CacheableRequest } from '../answer-cache.js';
import type { StoredAnswer } from '../stored-answer.js';
import type { MemoryAnswers } from '../stores/memory-answers.js';
import type { Lease, SharedAnswers } from '../stores/shared-answers.js';
import { CONFIRM_MS, confirmedAtOf, isUsable, type VersionWatch } from './version-watch.js';

/** An answer that was computed, or found in level 2 (Redis). */
export interface Computed {
  readonly answer: StoredAnswer;
  /** When the versions of the answer were last confirmed, in milliseconds since 1970. */
  readonly confirmedAt: number;
  /** The duration of the query; undefined if the answer was found in level 2. */
  readonly queryMs: number | undefined;
  readonly isStored: boolean;
  /** Whether the cache may use the answer for other requests: it has the versions of all its tables, or is valid until a fixed time. */
  readonly isExact: boolean;
}

export interface ComputerParts {
  readonly engine: Engine;
  readonly memory: MemoryAnswers;
  readonly shared: SharedAnswers | undefined;
  readonly watch: VersionWatch | undefined;
  readonly now: () => number;
}

export interface ComputeOptions {
  readonly signal: AbortSignal;
  /** `cache` if the answer is only for the cache and no client waits for it. */
  readonly purpose?: 'cache';
}

/** Finds answers in level 2 (Redis), or computes them, and stores them in both levels. */
export class AnswerComputer {
  readonly #parts: ComputerParts;

  constructor(parts: ComputerParts) {
    this.#parts = parts;
  }

  /** Returns the answer from level 2, or computes it. If several processes need it, only the process with the lease computes it. */
  async findOrCompute(request: CacheableRequest, options: ComputeOptions): Promise<Computed> {
    const { shared } = this.#parts;
    if (shared === undefined) return this.#computeAndStore(request, options, undefined);
    const until = performance.now() + request.endpoint.definition.limits.timeoutMs;
    const found = await this.findShared(request, options.signal);
    if (found !== undefined) return found;
    while (performance.now() < until) {
      const lease = await shared.lease(request.key);
      if (lease !== 'taken') return this.#computeWithLease(lease, request, options);
      const awaited = await this.#awaitOther(shared, request, { until, signal: options.signal });
      if (awaited === 'unshared') break;
      if (awaited !== undefined) return awaited;
      // The process with the lease has ended or failed. The loop continues, so that one of the waiting processes takes the lease.
    }
    return this.#computeAndStore(request, options, undefined);
  }

  /** Computes the answer with a lease, unless another process has stored it in the meantime. */
  async #computeWithLease(
    lease: Lease | undefined,
    request: CacheableRequest,
    options: ComputeOptions,
  ): Promise<Computed> {
    const stored = lease && (await this.findShared(request, options.signal));
    if (stored === undefined) return this.#computeAndStore(request, options, lease);
    void lease?.release();
    return stored;
  }

  /** Returns the answer from level 2 if it is current. An outdated answer is kept in memory in case the database fails. */
  async findShared(request: CacheableRequest, signal: AbortSignal | undefined): Promise<Computed | undefined> {
    const { memory, watch, now, shared } = this.#parts;
    if (shared === undefined) return undefined;
    const { key, endpoint, raw, representation, identity } = request;
    const { parameters } = identity;
    const [answer, recent] = await Promise.all([
      shared.get(key, { endpoint, parameters, representation }),
      (request.isNewestRequired ? undefined : watch?.recent()) ?? watch?.confirm({ signal, timeoutMs: CONFIRM_MS }),
    ]);
    if (answer === undefined) return undefined;
    let state = recent;
    const isCurrent = () => answer.identity === identity.key && isUsable(answer, state?.tables, now());
    // The process that stored the answer may know newer versions than this process, so the versions are read again.
    if (!isCurrent() && state !== undefined && answer.computedAt >= state.confirmedAt) {
      state = await watch?.confirm({ signal, timeoutMs: CONFIRM_MS });
    }
    if (isCurrent()) {
      memory.store(key, answer, raw);
      return { answer, confirmedAt: confirmedAtOf(answer, state), queryMs: undefined, isStored: true, isExact: true };
    }
    if (memory.get(key) === undefined) memory.store(key, answer, raw);
    return undefined;
  }

  /** Waits for the answer of another process. Returns undefined if the lease ended without an answer, or the waiting time is over. */
  async #awaitOther(
    shared: SharedAnswers,
    request: CacheableRequest,
    { until, signal }: { readonly until: number; readonly signal: AbortSignal },
  ): Promise<Computed | 'unshared' | undefined> {
    let waitMs = FIRST_WAIT_MS;
    while (performance.now() < until) {
      await pause(waitMs, undefined, { signal }).catch(() => {
        throw cancelledError();
      });
      waitMs = Math.min(2 * waitMs, MAX_WAIT_MS);
      // The lease must be read first: its holder stores the answer before it releases the lease.
      const state = await shared.leaseState(request.key);
      const found = await this.findShared(request, signal);
      if (found !== undefined || state === 'free') return found;
      if (state === 'unshared') return state;
    }
    return undefined;
  }

  async #computeAndStore(
    request: CacheableRequest,
    options: ComputeOptions,
    lease: Lease | undefined,
  ): Promise<Computed> {
    const { engine, memory, shared, now } = this.#parts;
    const { endpoint, raw, key, requestId } = request;
    const computedAt = now();
    const computation = { ...request, computedAt };
    try {
      const result = await engine.run(endpoint, raw, { ...options, requestId });
      const answer = createAnswer(result, computation);
      const canStore = isStorable(result, computation);
      // The definition may have been replaced during the computation.
      const entry = canStore && engine.serves(endpoint) ? memory.store(key, answer, raw) : undefined;
      const isShared = canStore && shared?.fits(answer) === true;
      if (isShared) void shared.put(key, answer).finally(() => lease?.release());
      else void lease?.release(false);
      const isStored = entry !== undefined || isShared;
      return { answer, confirmedAt: computedAt, queryMs: result.ms, isStored, isExact: canStore };
    } catch (error) {
      void lease?.release();
      throw error;
    }
  }
}

const FIRST_WAIT_MS = 5;
const MAX_WAIT_MS = 50;

/** A computation that several requests wait for. */
interface Flight<T> {
  /** Whether this request started the computation. */
  readonly isOwn: boolean;
  /** The number of computations that started before this one. */
  readonly number: number;
  /** Waits for the result, but not longer than the deadline. */
  wait(deadline: Deadline): Promise<T>;
}

interface Running<T> {
  readonly number: number;
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Computations by key. Concurrent requests with equal keys share one computation. When no request waits any longer, the
 * computation is aborted, unless it runs in the background.
 */
export class Flights<T> {
  readonly #running = new Map<string, Running<T>>();
  #started = 0;

  /** The number of computations that have started. */
  get started(): number {
    return this.#started;
  }

  /** Whether a computation with this key is running. */
  has(key: string): boolean {
    return this.#running.has(key);
  }

  /** Joins the computation with this key, or starts it. */
  join(key: string, compute: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const known = this.#running.get(key);
    const running = known ?? this.#start(key, compute);
    return {
      isOwn: known === undefined,
      number: running.number,
      wait: (deadline) => this.#wait(key, running, deadline),
    };
  }

  /** Starts a computation in the background if none with this key is running. Resolves when it ended; never rejects. */
  async runInBackground(key: string, compute: (signal: AbortSignal) => Promise<T>): Promise<void> {
    if (this.#running.has(key)) return;
    const running = this.#start(key, compute);
    running.waiting += 1;
    await running.result.catch(() => undefined);
  }

  /** Aborts all computations. */
  abort(): void {
    for (const { controller } of this.#running.values()) controller.abort();
  }

  #start(key: string, compute: (signal: AbortSignal) => Promise<T>): Running<T> {
    const controller = new AbortController();
    const result = compute(controller.signal);
    const running: Running<T> = { number: this.#started, result, controller, waiting: 0 };
    this.#started += 1;
    this.#running.set(key, running);
    const remove = () => this.#remove(key, running);
    result.then(remove, remove);
    return running;
  }

  async #wait(key: string, running: Running<T>, deadline: Deadline): Promise<T> {
    running.waiting += 1;
    try {
      return await deadline.bound(running.result);
    } finally {
      running.waiting -= 1;
      // The computation is removed first, so that later requests do not join a computation that is being aborted.
      if (running.waiting === 0 && this.#remove(key, running)) running.controller.abort(cancelledError());
    }
  }

  /** Removes a computation. Returns false if it was already removed. */
  #remove(key: string, running: Running<T>): boolean {
    return this.#running.get(key) === running && this.#running.delete(key);
  }
}
