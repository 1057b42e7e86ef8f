import { Worker } from 'node:worker_threads';
import { EngineError } from '../../engine/index.js';
import type { ImageJob } from './draw/image-job.js';

/** The maximum number of images that wait or are being drawn. */
const MAX_JOBS = 24;
/** A thread without images ends after this time, because it needs about 80 MB. */
const IDLE_MS = 300_000;
/** The additional time for the first image of a thread, which loads its modules. A busy machine needs seconds for this. */
const START_MS = 20_000;
/** Without limits, V8 keeps far more memory than an image needs. */
const MEMORY = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 };

export interface ImageLimits {
  /** A thread that needs longer for one image is replaced. */
  readonly drawMs: number;
  /** An image that waits longer is not drawn. */
  readonly waitMs: number;
}

/** Calls a function after a time. The returned function prevents the call. */
export type StartTimer = (onEnd: () => void, ms: number) => () => void;

interface Task {
  readonly job: ImageJob;
  readonly since: number;
  readonly resolve: (bytes: Buffer) => void;
  readonly reject: (error: Error) => void;
}

interface Finished {
  readonly bytes?: Uint8Array;
  readonly error?: string;
}

/**
 * Draws images in one thread, which starts with the first image. It does not keep the process running. The thread gets one image at
 * a time, so that a slow image fails alone and the images that wait for it do not.
 */
export class ImageThread {
  #worker: Worker | undefined;
  #running: Task | undefined;
  #stopTimer = () => {};
  /** Whether the thread has drawn an image. */
  #isWarm = false;
  #idle: NodeJS.Timeout | undefined;
  readonly #waiting: Task[] = [];
  readonly #limits: ImageLimits;
  readonly #startTimer: StartTimer;

  constructor(limits: ImageLimits, startTimer: StartTimer = startTimeout) {
    this.#limits = limits;
    this.#startTimer = startTimer;
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /** Draws an image. Rejects with `overloaded` if too many images wait. */
  draw(job: ImageJob): Promise<Buffer> {
    const jobs = this.#waiting.length + (this.#running === undefined ? 0 : 1);
    if (jobs >= MAX_JOBS) return Promise.reject(overloaded());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, since: performance.now(), resolve, reject });
      this.#drawNext();
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    clearTimeout(this.#idle);
    const error = new Error('The service is stopping.');
    for (const task of this.#waiting.splice(0)) task.reject(error);
    this.#finish((task) => task.reject(error));
    this.#worker = undefined;
    await worker?.terminate();
  }

  #drawNext(): void {
    if (this.#running !== undefined) return;
    const task = this.#waiting.shift();
    clearTimeout(this.#idle);
    if (task === undefined) {
      this.#rest();
      return;
    }
    if (performance.now() - task.since > this.#limits.waitMs) {
      task.reject(overloaded());
      this.#drawNext();
      return;
    }
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const tooSlow = new Error('An image took too long to draw.');
    this.#running = task;
    const limitMs = this.#limits.drawMs + (this.#isWarm ? 0 : START_MS);
    this.#stopTimer = this.#startTimer(() => this.#replace(worker, tooSlow), limitMs);
    worker.ref();
    worker.postMessage(task.job);
  }

  #start(): Worker {
    this.#isWarm = false;
    const worker = new Worker(new URL('./image-worker.js', import.meta.url), { env: {}, resourceLimits: MEMORY });
    worker.on('message', ({ bytes, error }: Finished) => {
      if (this.#worker !== worker) return;
      this.#isWarm = true;
      this.#finish(({ resolve, reject }) => {
        if (bytes === undefined) reject(new Error(`An image could not be drawn: ${error}`));
        else resolve(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      });
      this.#drawNext();
    });
    worker.on('error', (error: Error) => this.#replace(worker, error));
    worker.on('exit', () => this.#replace(worker, new Error('The thread that draws images ended.')));
    worker.unref();
    return worker;
  }

  #rest(): void {
    const worker = this.#worker;
    if (worker === undefined) return;
    worker.unref();
    this.#idle = setTimeout(() => {
      if (this.#worker === worker) this.#worker = undefined;
      void worker.terminate();
    }, IDLE_MS);
    this.#idle.unref();
  }

  /** Ends a thread that failed. Its image fails, and the next image starts a new thread. */
  #replace(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    void worker.terminate();
    this.#finish((task) => task.reject(error));
    this.#drawNext();
  }

  #finish(settle: (task: Task) => void): void {
    const task = this.#running;
    this.#stopTimer();
    this.#running = undefined;
    if (task !== undefined) settle(task);
  }
}

/** After a pause of this process, an image that was drawn during the pause is still in time: its message is read first. */
function startTimeout(onEnd: () => void, ms: number): () => void {
  let late: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    late = setImmediate(onEnd);
  }, ms);
  timer.unref();
  return () => {
    clearTimeout(timer);
    clearImmediate(late);
  };
}

function overloaded(): EngineError {
  return new EngineError('overloaded', 'Too many images are being drawn. Try again in a moment.');
}
