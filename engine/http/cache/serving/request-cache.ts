import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from '../../../answers/engine.js';
import type { VersionState } from '../../../databases/interface/data-versions.js';
import { Deadline } from '../../../databases/interface/deadline.js';
import type { Endpoint } from '../../../definitions/endpoint/endpoint.js';
import type { Principal } from '../../../definitions/principal.js';
import { compressAnswer, createAnswer, writeStaleBody } from '../answer-body.js';
import {
  type AnswerCache,
  type AnswerRequest,
  type CacheableRequest,
  type FoundAnswer,
  keyOfCaller,
  readCacheable,
  type TargetRequest,
} from '../answer-cache.js';
import type { CacheOutcome, ServedAnswer, StoredAnswer } from '../stored-answer.js';
import { type Entry, MemoryAnswers } from '../stores/memory-answers.js';
import { AnswerComputer, type Computed, Flights } from './answer-computer.js';
import type { AnswerCacheParts, CacheCounts } from './cache-parts.js';
import { RECOMPUTING, REPLACING, type Staleness, stalenessOf, UNCONFIRMED } from './staleness.js';
import { CONFIRM_MS, confirmedAtOf, hitOf, isUsable, isUsableEntry, VersionWatch } from './version-watch.js';

/** An answer cache with background work, which `close` ends. */
export interface RunningAnswerCache extends AnswerCache {
  counts(): CacheCounts;
  close(): Promise<void>;
}

export function createAnswerCache(parts: AnswerCacheParts): RunningAnswerCache {
  return new RequestCache(parts);
}

class RequestCache implements RunningAnswerCache {
  readonly #parts: AnswerCacheParts;
  readonly #memory: MemoryAnswers;
  readonly #targets: TargetLinks;
  readonly #last: LastAnswers;
  readonly #watch: VersionWatch | undefined;
  readonly #computer: AnswerComputer;
  readonly #flights = new Flights<Computed>();
  readonly #recomputation: Recomputation;
  readonly #counts = { memory: 0, shared: 0, misses: 0, collapsed: 0, bypassed: 0 };

  constructor(parts: AnswerCacheParts) {
    const { engine, versions, memoryBytes, shared, now } = parts;
    this.#parts = parts;
    this.#memory = new MemoryAnswers(memoryBytes);
    this.#targets = new TargetLinks(engine, this.#memory);
    const recomputation = new Recomputation(this.#memory, (entry) => this.#recompute(entry));
    this.#recomputation = recomputation;
    this.#watch = versions && new VersionWatch(versions, (tables) => recomputation.onChange(tables));
    this.#last = new LastAnswers(parts, this.#memory, this.#watch);
    this.#computer = new AnswerComputer({ engine, memory: this.#memory, shared, watch: this.#watch, now });
  }

  find(target: string, sender?: Principal): FoundAnswer | undefined {
    const entry = this.#targets.find(target, sender);
    if (entry === undefined) return undefined;
    const state = this.#watch?.recent();
    if (!isUsableEntry(entry, state?.tables, this.#parts.now())) return undefined;
    return foundOf(entry.key, entry.answer, 1, confirmedAtOf(entry.answer, state));
  }

  async findShared(request: TargetRequest): Promise<FoundAnswer | undefined> {
    // Without recent versions, the check of an answer would have to wait until they are read.
    if (this.#parts.shared === undefined || this.#watch?.recent() === undefined) return undefined;
    try {
      const cacheable = readCacheable(this.#parts.engine, { ...request, isNewestRequired: false });
      const { key } = cacheable;
      if (this.#memory.get(key) !== undefined || this.#flights.has(key)) return undefined;
      const found = await this.#computer.findShared(cacheable, undefined);
      if (found !== undefined) this.#targets.linkAnswer(key, found.answer, request);
      return found && foundOf(key, found.answer, 2, found.confirmedAt);
    } catch {
      // The error is ignored, because the caller then calls `serve`, which reports it.
      return undefined;
    }
  }

  use({ answer, outcome, key }: FoundAnswer): void {
    if (outcome.kind === 'hit' && outcome.level === 2) this.#countShared(answer);
    else {
      const entry = this.#memory.get(key);
      if (entry !== undefined) this.#count(entry);
    }
  }

  async serve(request: AnswerRequest): Promise<ServedAnswer> {
    const { endpoint, signal } = request;
    const deadline = new Deadline({ timeoutMs: endpoint.definition.limits.timeoutMs, signal });
    try {
      return await this.#answerWithin(request, deadline);
    } finally {
      deadline.end();
    }
  }

  counts(): CacheCounts {
    const { memory, shared, ...counts } = this.#counts;
    const { recomputed } = this.#recomputation;
    return { hits: { memory, shared }, stale: this.#last.counts, ...counts, recomputed, ...this.#memory.counts };
  }

  async close(): Promise<void> {
    this.#watch?.close();
    this.#flights.abort();
    await this.#recomputation.close();
  }

  async #answerWithin(request: AnswerRequest, deadline: Deadline): Promise<ServedAnswer> {
    const newest = request.isNewestRequired ? await this.#confirm(deadline) : undefined;
    // The versions are read first, because the cache rule of an endpoint depends on which tables have versions.
    if (this.#watch?.known === undefined) await this.#confirm(deadline);
    const cacheable = readCacheable(this.#parts.engine, request);
    const state = request.isNewestRequired ? newest : await this.#state(deadline);
    const known = this.#fromMemory(request, cacheable, state, deadline);
    if (known !== undefined) return known;
    try {
      const { rule } = cacheable;
      if (rule.kind === 'never') return await this.#answerWithoutCache(request, cacheable, rule.reason);
      return await this.#joinComputation(request, cacheable, deadline);
    } catch (error) {
      const last = await this.#last.fromFailure(cacheable, error);
      if (last === undefined) throw error;
      return last;
    }
  }

  /** Returns a current answer from memory, or an outdated answer if the definition allows it. */
  #fromMemory(
    wanted: AnswerRequest,
    request: CacheableRequest,
    state: VersionState | undefined,
    deadline: Deadline,
  ): ServedAnswer | undefined {
    const entry = this.#memory.get(request.key);
    if (entry === undefined) return undefined;
    const isSame = entry.answer.identity === request.identity.key;
    if (isSame && isUsableEntry(entry, state?.tables, this.#parts.now())) {
      this.#targets.link(entry, wanted);
      this.#count(entry);
      return hitOf(entry.answer, 1, confirmedAtOf(entry.answer, state));
    }
    if (deadline.reason !== undefined) throw deadline.reason;
    const isUnconfirmed = state === undefined && this.#watch?.isAway === true;
    if (isUnconfirmed && entry.answer.versions.size > 0) return this.#last.serve(entry.answer, UNCONFIRMED);
    if (wanted.isNewestRequired || !this.#last.isRecent(entry, state, request.endpoint)) return undefined;
    entry.uses += 1;
    void this.#inBackground(request);
    return this.#last.serve(entry.answer, entry.answer.version === undefined ? REPLACING : RECOMPUTING);
  }

  /** Computes the answer, or waits for the computation of another request. */
  async #joinComputation(
    request: AnswerRequest,
    cacheable: CacheableRequest,
    deadline: Deadline,
  ): Promise<ServedAnswer> {
    const started = this.#flights.started;
    for (;;) {
      const { isOwn, number, wait } = this.#flights.join(cacheable.key, (signal) =>
        this.#computer.findOrCompute(cacheable, { signal }),
      );
      const computed = await wait(deadline);
      // A computation that started before this request may have read older data. If so, the request joins or starts another computation.
      if (number < started && !(await this.#isCurrent(computed, cacheable, deadline))) continue;
      this.#targets.linkAnswer(cacheable.key, computed.answer, request);
      return this.#toServed(computed, isOwn);
    }
  }

  #toServed(computed: Computed, isOwn: boolean): ServedAnswer {
    const { answer, confirmedAt, queryMs, isStored } = computed;
    if (queryMs === undefined) {
      this.#countShared(answer);
      return hitOf(answer, 2, confirmedAt);
    }
    // The engine has reported this answer only for the request that started the computation.
    if (!isOwn) this.#parts.engine.reportStored(answer.endpoint, answer.parameters);
    this.#counts.misses += 1;
    if (!isOwn) this.#counts.collapsed += 1;
    const outcome: CacheOutcome = { kind: 'miss', isCollapsed: !isOwn, isStored };
    return { answer, confirmedAt, queryMs, outcome };
  }

  async #answerWithoutCache(
    { signal, requestId }: AnswerRequest,
    request: CacheableRequest,
    reason: string,
  ): Promise<ServedAnswer> {
    const { endpoint, raw } = request;
    this.#counts.bypassed += 1;
    const computedAt = this.#parts.now();
    const result = await this.#parts.engine.run(endpoint, raw, { signal, requestId });
    const answer = createAnswer(result, { ...request, computedAt });
    return { answer, confirmedAt: computedAt, queryMs: result.ms, outcome: { kind: 'bypass', reason } };
  }

  #count(entry: Entry): void {
    const { endpoint, parameters } = entry.answer;
    this.#counts.memory += 1;
    this.#memory.touch(entry);
    if (!entry.isCompressed) void this.#compress(entry);
    this.#parts.engine.reportStored(endpoint, parameters);
  }

  #countShared({ endpoint, parameters }: StoredAnswer): void {
    this.#counts.shared += 1;
    this.#parts.engine.reportStored(endpoint, parameters);
  }

  async #isCurrent(
    { answer, isExact }: Computed,
    { identity }: CacheableRequest,
    deadline: Deadline,
  ): Promise<boolean> {
    if (!isExact || answer.identity !== identity.key) return false;
    const state = await this.#state(deadline);
    return isUsable(answer, state?.tables, this.#parts.now());
  }

  async #state(deadline: Deadline): Promise<VersionState | undefined> {
    return this.#watch?.recent() ?? this.#confirm(deadline);
  }

  async #confirm({ signal, remainingMs }: Deadline): Promise<VersionState | undefined> {
    return this.#watch?.confirm({ signal, timeoutMs: Math.min(CONFIRM_MS, remainingMs) });
  }

  async #compress(entry: Entry): Promise<void> {
    entry.isCompressed = true;
    const { answer } = entry;
    const compressed = await compressAnswer(answer).catch(() => answer);
    if (entry.answer === answer && compressed !== answer) this.#memory.update(entry, compressed);
  }

  async #recompute({ answer, raw }: Entry): Promise<void> {
    const { endpoint, representation } = answer;
    if (!this.#parts.engine.serves(endpoint)) return;
    await this.#inBackground(
      readCacheable(this.#parts.engine, { endpoint, raw, representation, isNewestRequired: false }),
    );
  }

  async #inBackground(request: CacheableRequest): Promise<void> {
    await this.#flights.runInBackground(request.key, (signal) =>
      this.#computer.findOrCompute(request, { signal, purpose: 'cache' }),
    );
  }
}

/** Like `hitOf`. All members are written out, because copying an object would cost as much as all other work of `find`. */
function foundOf(key: string, answer: StoredAnswer, level: 1 | 2, confirmedAt: number): FoundAnswer {
  return { answer, outcome: { kind: 'hit', level }, confirmedAt, queryMs: undefined, key };
}

/** Links request targets to answers in memory. After a reload, another definition may answer a target, so the links are removed. */
class TargetLinks {
  readonly #engine: Engine;
  readonly #memory: MemoryAnswers;
  /** The generation of the definitions for which the links are valid. */
  #generation: number;

  constructor(engine: Engine, memory: MemoryAnswers) {
    this.#engine = engine;
    this.#memory = memory;
    this.#generation = engine.generation;
  }

  /**
   * Returns the entry for a target. If the endpoint is not public, the target leads to an answer for some caller, which states the endpoint
   * and the parameters of the target. The entry of the sender is then found by its cache key, as for a request without a link.
   */
  find(target: string, sender: Principal | undefined): Entry | undefined {
    this.#followDefinitions();
    const linked = this.#memory.find(target);
    if (linked === undefined || linked.answer.endpoint.definition.access === undefined) return linked;
    const key = sender && keyOfCaller(linked.answer, sender);
    return key === undefined ? undefined : this.#memory.get(key);
  }

  /**
   * Links a target to an entry, so that `find` returns it, unless the definitions have changed since the request began. If the endpoint is
   * not public and has a canary, the version depends on the caller, so its targets have no links.
   */
  link(entry: Entry, { endpoint, target, generation }: TargetRequest): void {
    this.#followDefinitions();
    if (generation !== this.#generation) return;
    if (endpoint.definition.access !== undefined && this.#engine.hasCanary(endpoint)) return;
    this.#memory.link(entry, target);
  }

  /** Links a target to the entry with this key if the entry still contains this answer. */
  linkAnswer(key: string, answer: StoredAnswer, request: TargetRequest): void {
    const entry = this.#memory.get(key);
    if (entry?.answer === answer) this.link(entry, request);
  }

  /** If the definitions have changed, removes all links, and the answers of definitions that are no longer served. */
  #followDefinitions(): void {
    if (this.#generation === this.#engine.generation) return;
    this.#generation = this.#engine.generation;
    this.#memory.forgetTargets();
    const current = new Map(this.#engine.endpoints.map((endpoint) => [endpoint.contentHash, endpoint]));
    for (const entry of [...this.#memory.entries()]) {
      const endpoint = current.get(entry.answer.endpoint.contentHash);
      if (endpoint === undefined) this.#memory.remove(entry);
      else if (endpoint !== entry.answer.endpoint) this.#memory.update(entry, { ...entry.answer, endpoint });
    }
  }
}

/** Serves outdated answers, marked as stale, during a recomputation or if the database fails. */
class LastAnswers {
  readonly #parts: AnswerCacheParts;
  readonly #memory: MemoryAnswers;
  readonly #watch: VersionWatch | undefined;
  readonly #counts = { recomputing: 0, unavailable: 0 };

  constructor(parts: AnswerCacheParts, memory: MemoryAnswers, watch: VersionWatch | undefined) {
    this.#parts = parts;
    this.#memory = memory;
    this.#watch = watch;
  }

  get counts(): CacheCounts['stale'] {
    return { ...this.#counts };
  }

  serve(last: StoredAnswer, { reason, notice }: Staleness, level: 1 | 2 = 1): ServedAnswer {
    this.#counts[reason] += 1;
    this.#parts.engine.reportStored(last.endpoint, last.parameters);
    const body = writeStaleBody(last, notice, this.#parts.clock());
    const answer = { ...last, ...body, gzip: undefined, brotli: undefined };
    const confirmedAt = this.#watch?.lastExactAt(last) ?? last.computedAt;
    return { answer, outcome: { kind: 'stale', level, reason }, confirmedAt, queryMs: undefined };
  }

  /** Returns the last answer if the database failed, and undefined for other errors. */
  async fromFailure(request: CacheableRequest, error: unknown): Promise<ServedAnswer | undefined> {
    const staleness = stalenessOf(error);
    if (staleness === undefined) return undefined;
    const { key, endpoint, representation, identity } = request;
    const { parameters } = identity;
    const known = this.#memory.get(key)?.answer;
    const answer = known ?? (await this.#parts.shared?.get(key, { endpoint, parameters, representation }));
    if (answer === undefined) return undefined;
    const level = known === undefined ? 2 : 1;
    const state = this.#watch?.recent();
    // Another request or process may have computed the current answer in the meantime, which is then a hit.
    if (answer.identity !== identity.key || !isUsable(answer, state?.tables, this.#parts.now())) {
      return this.serve(answer, staleness, level);
    }
    this.#parts.engine.reportStored(endpoint, parameters);
    return hitOf(answer, level, confirmedAtOf(answer, state));
  }

  /** Whether the answer became outdated so recently that `serve_stale` of the definition allows serving it. */
  isRecent({ answer }: Entry, state: VersionState | undefined, { definition }: Endpoint): boolean {
    const { serveStaleMs } = definition;
    if (serveStaleMs === 0) return false;
    const ended = state && this.#watch?.endOf(answer, state.tables);
    const end = answer.versions.size === 0 ? Infinity : ended;
    return end !== undefined && this.#parts.now() - Math.min(end, answer.validUntil, answer.staleFrom) < serveStaleMs;
  }
}

/**
 * Recomputes popular answers in the background after commits, one at a time. After each computation, it pauses for four
 * times the duration of the computation, so that it uses at most a fifth of one connection.
 */
class Recomputation {
  readonly #memory: MemoryAnswers;
  readonly #recompute: (entry: Entry) => Promise<void>;
  readonly #stop = new AbortController();
  #waiting: Entry[] = [];
  #running: Promise<void> | undefined;
  recomputed = 0;

  constructor(memory: MemoryAnswers, recompute: (entry: Entry) => Promise<void>) {
    this.#memory = memory;
    this.#recompute = recompute;
  }

  /** Queues the recently used answers whose tables have changed, the most used first. */
  onChange(tables: ReadonlySet<string>): void {
    if (this.#stop.signal.aborted) return;
    const used: Entry[] = [];
    for (const entry of this.#memory.entries()) {
      if (entry.uses === 0 || !readsAny(entry, tables)) continue;
      used.push(entry);
    }
    const all = new Set([...used, ...this.#waiting]);
    this.#waiting = [...all].sort((one, other) => other.uses - one.uses).slice(0, MAX_WAITING);
    // The counts are halved and not reset, because commits often follow each other quickly, and a popular answer must stay popular.
    for (const entry of used) entry.uses = Math.floor(entry.uses / 2);
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined;
    });
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#waiting = [];
    await this.#running;
  }

  async #work(): Promise<void> {
    const { signal } = this.#stop;
    for (let entry = this.#waiting.shift(); entry !== undefined; entry = this.#waiting.shift()) {
      if (this.#memory.get(entry.key) !== entry) continue;
      const before = entry.answer;
      const started = performance.now();
      await this.#recompute(entry).catch(() => undefined);
      if (entry.answer !== before) this.recomputed += 1;
      await pause(REST * (performance.now() - started), undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
    }
  }
}

function readsAny({ answer }: Entry, tables: ReadonlySet<string>): boolean {
  for (const table of answer.versions.keys()) if (tables.has(table)) return true;
  return false;
}

/** The pause after a computation, as a multiple of its duration. */
const REST = 4;
/** The maximum number of queued answers. All other answers are computed when they are requested. */
const MAX_WAITING = 300;
