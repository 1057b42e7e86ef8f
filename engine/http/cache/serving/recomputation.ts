import { setTimeout as pause } from 'node:timers/promises';
import type { Entry } from '../stores/entry.js';
import type { MemoryAnswers } from '../stores/memory-answers.js';

/**
 * Recomputes popular answers in the background after commits, one at a time. After each computation, it pauses for four
 * times the duration of the computation, so that it uses at most a fifth of one connection.
 */
export class Recomputation {
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
