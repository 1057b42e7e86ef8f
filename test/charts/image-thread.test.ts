import assert from 'node:assert/strict';
import type { ImageJob } from '../../console/images/draw/image-job.js';
import { ImageThread } from '../../console/images/image-thread.js';

describe('the thread that draws images', () => {
  const threads: ImageThread[] = [];

  afterEach(async () => {
    await Promise.all(threads.splice(0).map((thread) => thread.close()));
  });

  function start(limits?: ConstructorParameters<typeof ImageThread>[0]): ImageThread {
    const thread = new ImageThread(limits);
    threads.push(thread);
    return thread;
  }

  it('limits the time of each image, not the time of all images that wait', async () => {
    const count = 10;
    const limits = { drawMs: 60_000, waitMs: 60_000 };
    const thread = start(limits);
    const drawn = titleOf(await thread.draw(job(LARGE)));
    const began = performance.now();
    for (let index = 0; index < count; index += 1) await thread.draw(job(LARGE));
    limits.drawMs = Math.ceil((performance.now() - began) / 2);
    const images = await Promise.all(Array.from({ length: count }, () => thread.draw(job(LARGE))));
    assert.deepEqual(
      images.map(titleOf),
      images.map(() => drawn),
    );
  });

  it('is overloaded for an image that waited too long, and draws equal images with equal bytes', async () => {
    const thread = start({ drawMs: 60_000, waitMs: -1 });
    await assert.rejects(thread.draw(job(SMALL)), { code: 'overloaded' });
    const patient = start({ drawMs: 60_000, waitMs: 60_000 });
    const [first, second] = await Promise.all([patient.draw(job(SMALL)), patient.draw(job(SMALL))]);
    assert.equal(first.toString(), second.toString());
  });

  it('accepts 24 images at a time, and starts again after it was closed', async () => {
    const thread = start();
    const images = Array.from({ length: 24 }, () => thread.draw(job(SMALL)));
    await assert.rejects(thread.draw(job(SMALL)), { code: 'overloaded' });
    const closed = Promise.allSettled(images);
    await thread.close();
    const reasons = (await closed).map((one) => (one.status === 'rejected' ? String(one.reason) : 'drawn'));
    assert.deepEqual(
      reasons,
      Array.from({ length: 24 }, () => 'Error: The service is stopping.'),
    );
    assert.equal((await thread.draw(job(SMALL))).subarray(0, 4).toString(), '<svg');
  });
});

/** The title says what the image shows. */
function titleOf(image: Buffer): string | undefined {
  return /<title>.*?<\/title>/.exec(image.toString())?.[0];
}

const SMALL = 3;
const LARGE = 5_000;

function job(rows: number): ImageJob {
  const fields = [
    { name: 'day', columnType: 'DATE' },
    { name: 'events', columnType: 'BIGINT' },
  ];
  const data = Array.from({ length: rows }, (_, index) => ({
    day: new Date(index * 86_400_000).toISOString().slice(0, 10),
    events: index % 97,
  }));
  const body = { fields, data, dataAsOf: null, stale: false, truncated: false, params: {}, notices: [] };
  const content = {
    kind: 'result',
    title: 'Events',
    subtitle: '',
    body: new TextEncoder().encode(JSON.stringify(body)),
    chart: null,
    warnings: [],
  } as const;
  return { format: 'svg', look: { theme: 'light', width: 1600 }, content };
}
