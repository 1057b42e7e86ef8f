import { Worker } from 'node:worker_threads';
import { EngineError } from '../../engine/index.js';
import type { ImageJob } from './draw/image-job.js';

/** The maximum number of images that wait or are being drawn. */
const MAX_JOBS = 24;
/** A thread that needs longer for an image is replaced. */
const TIME_LIMIT_MS = 10_000;
/** A thread without images ends after this time, because it needs about 100 MB. */
const IDLE_MS = 300_000;
/** Without limits, V8 keeps far more memory than an image needs. */
const LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 };

interface Waiting {
  readonly resolve: (bytes: Buffer) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

interface Finished {
  readonly id: number;
  readonly bytes?: Uint8Array;
  readonly error?: string;
}

/** Draws images in one thread, which starts with the first image. It does not keep the process running. */
export class ImageThread {
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  readonly #waiting = new Map<number, Waiting>();

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /** Draws an image. Rejects with `overloaded` if too many images wait. */
  draw(job: ImageJob): Promise<Buffer> {
    if (this.#waiting.size >= MAX_JOBS) {
      return Promise.reject(new EngineError('overloaded', 'Too many images are being drawn. Try again in a moment.'));
    }
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    this.#lastId += 1;
    const id = this.#lastId;
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.#replace(worker, new Error('An image took too long to draw.')),
        TIME_LIMIT_MS,
      );
      timer.unref();
      this.#waiting.set(id, { resolve, reject, timer });
      worker.ref();
      worker.postMessage({ id, job });
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    clearTimeout(this.#idle);
    this.#fail(new Error('The service is stopping.'));
    this.#worker = undefined;
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./image-worker.js', import.meta.url), { env: {}, resourceLimits: LIMITS });
    worker.on('message', (finished: Finished) => this.#finish(worker, finished));
    worker.on('error', (error: Error) => this.#replace(worker, error));
    worker.unref();
    return worker;
  }

  #finish(worker: Worker, { id, bytes, error }: Finished): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#rest(worker);
    if (waiting === undefined) return;
    clearTimeout(waiting.timer);
    if (bytes === undefined) waiting.reject(new Error(`An image could not be drawn: ${error}`));
    else waiting.resolve(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  #rest(worker: Worker): void {
    worker.unref();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#worker === worker) this.#worker = undefined;
      void worker.terminate();
    }, IDLE_MS);
    this.#idle.unref();
  }

  /** Ends a thread that failed. All of its images fail, and the next image starts a new thread. */
  #replace(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    void worker.terminate();
    this.#fail(error);
  }

  #fail(error: Error): void {
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.#waiting.clear();
  }
}
