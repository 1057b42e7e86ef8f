import { LRUCache } from 'lru-cache';
import { contentHash } from '../content-hash.js';
import type { ImageJob } from './image-job.js';
import { ImageThread } from './image-thread.js';

export interface DrawnImage {
  readonly bytes: Buffer;
  /** A hash of the bytes, without quotes. */
  readonly hash: string;
}

const MAX_BYTES = 32_000_000;
/** The memory of a cache entry in addition to its bytes. */
const OVERHEAD = 500;

/** A cache of drawn images. Images with the same key are drawn only once, even for concurrent requests. */
export class StoredImages {
  readonly #thread: ImageThread;
  readonly #stored = new LRUCache<string, DrawnImage>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }, key) => bytes.length + 2 * key.length + OVERHEAD,
  });
  readonly #running = new Map<string, Promise<DrawnImage>>();

  /** `limitMs` is the time limit for drawing one image, and for its time in the queue. */
  constructor(limitMs: number) {
    this.#thread = new ImageThread({ drawMs: limitMs, waitMs: limitMs });
  }

  /** Returns an image. `key` must identify its complete content. `client` identifies the requesting client. */
  get(key: string, job: () => ImageJob, client: string): Promise<DrawnImage> {
    const stored = this.#stored.get(key);
    if (stored !== undefined) return Promise.resolve(stored);
    const running = this.#running.get(key) ?? this.#draw(key, job(), client).finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    return running;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  async #draw(key: string, job: ImageJob, client: string): Promise<DrawnImage> {
    const isFirst = !this.#thread.isRunning;
    const bytes = await this.#thread.draw(job, client);
    // A failure is ignored: without warming up, images only take longer. If the thread fails, the next image reports the failure.
    if (isFirst) this.#warm().catch(() => undefined);
    const image = { bytes, hash: contentHash(bytes) };
    this.#stored.set(key, image);
    return image;
  }

  /**
   * After the first image of a thread, draws images of each kind, so that the next images are not slowed down by code that is not compiled
   * yet.
   */
  async #warm(): Promise<void> {
    for (let round = 0; round < WARM_ROUNDS; round += 1) {
      for (const job of WARM_JOBS) await this.#thread.draw(job);
    }
  }
}

/** The number of runs after which V8 compiles the code to fast machine code. */
const WARM_ROUNDS = 4;

const ROWS = ['DE', 'SG', 'US'].map((country, index) => ({
  country,
  day: `2026-01-0${index + 1}`,
  events: 10 ** index,
}));
const FIELDS = [
  { name: 'country', columnType: 'CHAR' },
  { name: 'day', columnType: 'DATE' },
  { name: 'events', columnType: 'BIGINT' },
];
const BODY = { fields: FIELDS, data: ROWS, dataAsOf: null, stale: true, truncated: false, params: {}, notices: [] };

const WARM_JOBS = (['MapChart', 'BarChart', 'LineChart', 'Table'] as const).map((chartView): ImageJob => {
  const body = new TextEncoder().encode(JSON.stringify(BODY));
  const content = {
    kind: 'result',
    title: 'Events',
    subtitle: '',
    body,
    columns: [],
    chart: null,
    chartView,
    warnings: [],
  } as const;
  return { format: 'png', look: { theme: 'light', width: 800 }, content };
});
