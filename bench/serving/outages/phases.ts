import type { RawAnswer } from '../load/answer-reader.js';
import { describeAnswer } from '../load/answer-reader.js';
import { findWrongAge } from './check-age.js';

/** A part of the run in which the state of the database and of Redis does not change. */
export interface Phase {
  readonly name: string;
  readonly seconds: number;
  /** Changes the state at the beginning of the phase. */
  readonly begin: () => Promise<void>;
  /** Whether the database answers during this phase. */
  readonly hasDatabase: boolean;
}

export interface PhaseCounts {
  requests: number;
  failed: number;
  wrongAges: number;
  slowestMs: number;
  /** Messages about the first failure and the first wrong age. */
  readonly messages: string[];
}

/** The time within which the service must notice that the database has stopped or works again. */
const CHANGING_MS = 5_000;

/** Counts answers by the phase in which their requests were sent. */
export class PhaseLog {
  readonly counts = new Map<string, PhaseCounts>();
  #phase: { readonly name: string; readonly hasDatabase: boolean } = { name: '', hasDatabase: true };
  #changedAt = 0;

  begin({ name, hasDatabase }: Phase): void {
    if (hasDatabase !== this.#phase.hasDatabase) this.#changedAt = Date.now();
    this.#phase = { name, hasDatabase };
    this.counts.set(name, { requests: 0, failed: 0, wrongAges: 0, slowestMs: 0, messages: [] });
  }

  record(answer: RawAnswer, path: string, sentAt: number, receivedAt: number): void {
    const counts = this.counts.get(this.#phase.name);
    if (counts === undefined) return;
    counts.requests += 1;
    counts.slowestMs = Math.max(counts.slowestMs, receivedAt - sentAt);
    if (answer.status !== 200) {
      counts.failed += 1;
      if (counts.failed === 1) counts.messages.push(`${path}: ${describeAnswer(answer)}`);
      return;
    }
    // An answer to a request that was sent before the last change can be from the earlier state.
    const wrong = findWrongAge(answer, receivedAt, {
      stoppedAt: this.#phase.hasDatabase || sentAt < this.#changedAt ? undefined : this.#changedAt,
      isChanging: sentAt < this.#changedAt + CHANGING_MS,
    });
    if (wrong === undefined) return;
    counts.wrongAges += 1;
    if (counts.wrongAges === 1) counts.messages.push(`${path}: ${wrong}`);
  }
}
