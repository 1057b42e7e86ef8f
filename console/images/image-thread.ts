import { Worker } from 'node:worker_threads';
import { EngineError, FairQueue } from '../../engine/index.js';
import { type ImageJob, READY } from './image-job.js';

/** The maximum number of queued images. */
const MAX_WAITING = 24;
/** The thread is ended after this time without images, because it needs about 80 MB. */
const IDLE_MS = 300_000;
/** Time limit for loading the modules of a thread. On a busy machine this takes seconds. */
const START_MS = 60_000;
/** Memory limits of the thread. Without these limits, V8 keeps far more memory than an image needs. */
const MEMORY = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 };

export interface ImageLimits {
  /** Time limit for drawing one image. If the time limit is exceeded, the thread is replaced. */
  readonly drawMs: number;
  /** Time limit in the queue. An image that waits longer is not drawn. The time to start the thread does not count. */
  readonly waitMs: number;
}

/** Calls a function after a time. The returned function cancels the call. */
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
 * Draws images in one thread, which is started for the first image. The thread does not keep the process running. The thread gets one image
 * at a time, so that a slow image does not make queued images fail. Queued images of different clients alternate.
 */
export class ImageThread {
  #worker: Worker | undefined;
  #running: Task | undefined;
  #stopTimer = () => {};
  /** The time at which the thread was ready to draw; undefined during its start. */
  #readyAt: number | undefined;
  #idle: NodeJS.Timeout | undefined;
  readonly #waiting = new FairQueue<Task>(MAX_WAITING);
  readonly #limits: ImageLimits;
  readonly #startTimer: StartTimer;

  constructor(limits: ImageLimits, startTimer: StartTimer = startTimeout) {
    this.#limits = limits;
    this.#startTimer = startTimer;
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /** Draws an image for a client. Rejects with `overloaded` if the queue is full. */
  draw(job: ImageJob, client = ''): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(client, { job, since: performance.now(), resolve, reject })?.reject(overloaded());
      this.#drawNext();
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    clearTimeout(this.#idle);
    const error = new Error('The service is stopping.');
    this.#rejectWaiting(error);
    this.#finish((task) => task.reject(error));
    this.#worker = undefined;
    await worker?.terminate();
  }

  #drawNext(): void {
    if (this.#running !== undefined) return;
    clearTimeout(this.#idle);
    if (this.#waiting.length === 0) {
      this.#rest();
      return;
    }
    this.#worker ??= this.#start();
    if (this.#readyAt !== undefined) this.#draw(this.#worker, this.#readyAt);
  }

  #draw(worker: Worker, readyAt: number): void {
    const task = this.#waiting.take()?.entry as Task;
    if (performance.now() - Math.max(task.since, readyAt) > this.#limits.waitMs) {
      task.reject(overloaded());
      this.#drawNext();
      return;
    }
    const tooSlow = new Error('An image took too long to draw.');
    this.#running = task;
    this.#stopTimer = this.#startTimer(() => this.#replace(worker, tooSlow), this.#limits.drawMs);
    worker.ref();
    worker.postMessage(task.job);
  }

  #start(): Worker {
    this.#readyAt = undefined;
    const worker = new Worker(new URL('./image-worker.js', import.meta.url), { env: {}, resourceLimits: MEMORY });
    const tooSlow = new Error('The thread that draws images did not start in time.');
    this.#stopTimer = this.#startTimer(() => this.#replace(worker, tooSlow), START_MS);
    worker.on('message', (message: Finished | typeof READY) => {
      if (this.#worker !== worker) return;
      if (message === READY) this.#begin();
      else this.#settle(message);
      this.#drawNext();
    });
    worker.on('error', (error: Error) => this.#replace(worker, error));
    worker.on('exit', () => this.#replace(worker, new Error('The thread that draws images ended.')));
    return worker;
  }

  #begin(): void {
    this.#stopTimer();
    this.#readyAt = performance.now();
  }

  #settle({ bytes, error }: Finished): void {
    this.#finish(({ resolve, reject }) => {
      if (bytes === undefined) reject(new Error(`An image could not be drawn: ${error}`));
      else resolve(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    });
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

  /**
   * Ends a failed thread. The current image of the thread fails, and the next image starts a new thread. If the thread failed during its
   * start, all queued images fail.
   */
  #replace(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    void worker.terminate();
    if (this.#readyAt === undefined) this.#rejectWaiting(error);
    this.#finish((task) => task.reject(error));
    this.#drawNext();
  }

  #rejectWaiting(error: Error): void {
    for (let next = this.#waiting.take(); next !== undefined; next = this.#waiting.take()) next.entry.reject(error);
  }

  #finish(settle: (task: Task) => void): void {
    const task = this.#running;
    this.#stopTimer();
    this.#running = undefined;
    if (task !== undefined) settle(task);
  }
}

/**
 * Calls `onEnd` after a time. If this process was suspended and the image was drawn in the meantime, the message with the image is handled
 * first, so that the image is still in time.
 */
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
