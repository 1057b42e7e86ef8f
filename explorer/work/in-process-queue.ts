import type { Stage } from '../questions/question-row.js';
import { CONCURRENCY, STAGES, type Work, type WorkQueue } from './work-queue.js';

/** The queue of a service with one process. */
export class InProcessQueue implements WorkQueue {
  readonly #lanes = new Map(STAGES.map((stage) => [stage, new Lane(CONCURRENCY[stage])]));

  async announce(stage: Stage): Promise<void> {
    this.#lane(stage).add(() => {});
  }

  expect(stage: Stage, waiting: number): void {
    this.#lane(stage).fill(waiting);
  }

  /** Adds an announcement. Resolves when `work` has been called for it, or when the queue is closed. */
  process(stage: Stage): Promise<void> {
    return new Promise((resolve) => this.#lane(stage).add(resolve));
  }

  start(work: Work): void {
    for (const [stage, lane] of this.#lanes) lane.start(() => work(stage));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map((lane) => lane.close()));
  }

  #lane(stage: Stage): Lane {
    return this.#lanes.get(stage) as Lane;
  }
}

/** The waiting and the running calls of one stage. */
class Lane {
  readonly #concurrency: number;
  /** One function per announcement, which is called when the announcement was processed. */
  readonly #waiting: (() => void)[] = [];
  readonly #running = new Set<Promise<void>>();
  #work: (() => Promise<void>) | undefined;

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  add(onDone: () => void): void {
    this.#waiting.push(onDone);
    this.#run();
  }

  fill(count: number): void {
    while (this.#waiting.length < count) this.#waiting.push(() => {});
    this.#run();
  }

  start(work: () => Promise<void>): void {
    this.#work = work;
    this.#run();
  }

  async close(): Promise<void> {
    this.#work = undefined;
    for (const onDone of this.#waiting.splice(0)) onDone();
    await Promise.all(this.#running);
  }

  #run(): void {
    while (this.#work !== undefined && this.#running.size < this.#concurrency) {
      const onDone = this.#waiting.shift();
      if (onDone === undefined) return;
      const call = this.#work().finally(() => {
        this.#running.delete(call);
        onDone();
        this.#run();
      });
      this.#running.add(call);
    }
  }
}
