import type { Deadline } from '../../databases/interface/deadline.js';
import { EngineError } from '../../databases/interface/errors.js';
import type { EndpointDefinition } from '../../definitions/definition.js';
import type { PassedRows } from './passed-rows.js';

/** A running query that streams its rows to a client. */
export interface RunningStream {
  readonly definition: EndpointDefinition;
  readonly deadline: Deadline;
  readonly passed: Pick<PassedRows, 'waitingMs'>;
}

/** What queries wait for: a connection of the database, or the end of another query of the same definition. */
type Place = EndpointDefinition | 'connection';

/** The numbers of queries that wait until a stream ends. */
export interface Waiting {
  /** Returns how many queries of a definition wait because of its concurrency limit. */
  readonly ofDefinition: (definition: EndpointDefinition) => number;
  /** Returns how many queries wait for a connection of the database. */
  readonly forConnection: () => number;
}

/**
 * Ends streams whose client takes no rows, because each stream uses a connection of the database. A stream ends after `PATIENCE_MS` if
 * other queries wait for its place, otherwise after `MAX_STALL_MS`. The streams that have waited longest end first, at most one for each
 * waiting query. A short wait ends no stream: queries must have waited at all checks during `WAIT_MS`.
 *
 * The operating system buffers several megabytes for a client, and accepts more rows only after it has sent most of
 * them. So a slow client that reads all the time can look like a client that takes no rows.
 */
export class StalledStreams {
  readonly #waiting: Waiting;
  readonly #running = new Set<RunningStream>();
  #timer: NodeJS.Timeout | undefined;
  #lastEndedAt = Number.NEGATIVE_INFINITY;
  /** For each place where queries wait: the time of the first check in the current sequence of checks that found waiting queries. */
  #waitingSince: ReadonlyMap<Place, number> = new Map();

  constructor(waiting: Waiting) {
    this.#waiting = waiting;
  }

  /** Watches a stream until `run` settles. */
  async watch<Result>(stream: RunningStream, run: () => Promise<Result>): Promise<Result> {
    this.#running.add(stream);
    this.#timer ??= setInterval(() => this.#endStalled(), CHECK_MS);
    try {
      return await run();
    } finally {
      this.#running.delete(stream);
      if (this.#running.size === 0) {
        clearInterval(this.#timer);
        this.#timer = undefined;
        this.#waitingSince = new Map();
      }
    }
  }

  #endStalled(): void {
    const stalled = [...this.#running]
      .filter(({ passed }) => passed.waitingMs > PATIENCE_MS)
      .sort((one, other) => other.passed.waitingMs - one.passed.waitingMs);
    for (const { deadline, passed } of stalled) {
      if (passed.waitingMs > MAX_STALL_MS)
        deadline.stop(tooSlow(`no rows could be sent to its client for ${MAX_STALL_MS} ms`));
    }
    const waiting = this.#countWaiting();
    if (performance.now() - this.#lastEndedAt > END_MS) this.#endBlocking(stalled, waiting);
  }

  /** Counts the waiting queries at each place where queries have waited at all checks of the last `WAIT_MS`. */
  #countWaiting(): Map<Place, number> {
    const now = performance.now();
    const counts = new Map<Place, number>([['connection', this.#waiting.forConnection()]]);
    for (const { definition } of this.#running) counts.set(definition, this.#waiting.ofDefinition(definition));
    const waiting = [...counts].filter(([, count]) => count > 0);
    this.#waitingSince = new Map(waiting.map(([place]) => [place, this.#waitingSince.get(place) ?? now]));
    return new Map(waiting.filter(([place]) => now - (this.#waitingSince.get(place) ?? now) >= WAIT_MS));
  }

  #endBlocking(stalled: readonly RunningStream[], waiting: Map<Place, number>): void {
    let forConnection = waiting.get('connection') ?? 0;
    for (const { definition, deadline } of stalled) {
      const ofDefinition = waiting.get(definition) ?? 0;
      if (ofDefinition + forConnection === 0) continue;
      if (ofDefinition > 0) waiting.set(definition, ofDefinition - 1);
      else forConnection -= 1;
      deadline.stop(tooSlow(`no rows could be sent to its client for ${PATIENCE_MS} ms, and other requests waited`));
      this.#lastEndedAt = performance.now();
    }
  }
}

/** Returns the error for a stream that reached its time limit while it waited for its client. */
export function slowAtLimit(timeoutMs: number): EngineError {
  return tooSlow(`its client took the rows too slowly for the time limit of ${timeoutMs} ms`);
}

function tooSlow(reason: string): EngineError {
  return new EngineError('client_too_slow', `The answer was ended: ${reason}.`);
}

/** Shorter than the time limit for waiting for a connection, so that a waiting query can still get one. */
const PATIENCE_MS = 2_000;
/** Shorter than the 60 seconds after which database servers disconnect a client that reads no rows. */
const MAX_STALL_MS = 20_000;
const CHECK_MS = 250;
const WAIT_MS = 750;
/** The time within which a connection becomes free after its stream was ended. No further stream is ended before that. */
const END_MS = 2_000;
