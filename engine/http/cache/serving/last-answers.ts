import type { VersionState } from '../../../databases/interface/data-versions.js';
import type { Endpoint } from '../../../definitions/endpoint/endpoint.js';
import { writeStaleBody } from '../answer-body.js';
import type { ServedAnswer, StoredAnswer } from '../stored-answer.js';
import type { Entry } from '../stores/entry.js';
import type { MemoryAnswers } from '../stores/memory-answers.js';
import type { AnswerCacheParts, CacheCounts } from './cache-parts.js';
import type { CacheableRequest } from './cacheable-request.js';
import { type Staleness, stalenessOf } from './staleness.js';
import { confirmedAtOf, hitOf, isUsable } from './usable-answer.js';
import type { VersionWatch } from './version-watch.js';

/** Serves outdated answers, marked as stale, during a recomputation or if the database fails. */
export class LastAnswers {
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
