import assert from 'node:assert/strict';
import type { ImageJob } from '../../console/images/image-job.js';
import { type ImageLimits, ImageThread, type StartTimer } from '../../console/images/image-thread.js';

/** Limits that are never reached in a test. */
const PATIENT = { drawMs: 600_000, waitMs: 600_000 };

describe('the thread that draws images', () => {
  const threads: ImageThread[] = [];
  /** The thread of the tests that need no special limits, because starting a thread takes longer than drawing an image. */
  const shared = new ImageThread(PATIENT);

  afterEach(async () => {
    await Promise.all(threads.splice(0).map((thread) => thread.close()));
  });
  after(() => shared.close());

  function start(limits: Partial<ImageLimits> = {}, startTimer?: StartTimer): ImageThread {
    const thread = new ImageThread({ ...PATIENT, ...limits }, startTimer);
    threads.push(thread);
    return thread;
  }

  it('limits the time of each image, not of those that wait for it, and is replaced when an image takes longer', async () => {
    const timers: { readonly ms: number; readonly end: () => void; isRunning: boolean }[] = [];
    const thread = start({ drawMs: 70 }, (end, ms) => {
      const timer = { ms, end, isRunning: true };
      timers.push(timer);
      return () => {
        timer.isRunning = false;
      };
    });
    const draw = () => thread.draw(job(SMALL)).then(titleOf);
    const [first, second, third] = [draw(), draw(), draw()];
    // The start of the thread has a separate limit.
    assert.deepEqual(
      timers.map(({ ms, isRunning }) => [ms, isRunning]),
      [[60_000, true]],
    );
    assert.equal(await first, 'Events. Line chart');
    // The time limit of the second image begins now, and ends before the thread can answer.
    assert.deepEqual(
      timers.map(({ ms, isRunning }) => [ms, isRunning]),
      [
        [60_000, false],
        [70, false],
        [70, true],
      ],
    );
    timers[2]?.end();
    await assert.rejects(second, { message: 'An image took too long to draw.' });
    assert.equal(await third, 'Events. Line chart');
    assert.deepEqual(
      timers.map(({ ms, isRunning }) => [ms, isRunning]),
      [
        [60_000, false],
        [70, false],
        [70, false],
        [60_000, false],
        [70, false],
      ],
    );
  });

  it('fails all images if it does not start in time, and starts again for the next image', async () => {
    const ends: (() => void)[] = [];
    const thread = start({}, (end) => {
      ends.push(end);
      return () => {};
    });
    const images = [thread.draw(job(SMALL), 'a'), thread.draw(job(SMALL), 'b')];
    ends[0]?.();
    for (const image of images) {
      await assert.rejects(image, { message: 'The thread that draws images did not start in time.' });
    }
    assert.equal(titleOf(await thread.draw(job(SMALL))), 'Events. Line chart');
  });

  it('lets clients alternate, and a full queue accepts the images of further clients', async () => {
    const thread = shared;
    const drawn: string[] = [];
    const draw = (client: string) =>
      thread.draw(job(SMALL), client).then(
        () => drawn.push(client),
        ({ code }) => drawn.push(`${client}: ${code}`),
      );
    const greedy = Array.from({ length: 24 }, () => draw('greedy'));
    const modest = ['a', 'b', 'c'].map(draw);
    await Promise.all(modest);
    assert.deepEqual(drawn, [...Array.from({ length: 3 }, () => 'greedy: overloaded'), 'greedy', 'a', 'b', 'c']);
    await Promise.all(greedy);
    assert.equal(drawn.filter((client) => client === 'greedy').length, 21);
  });

  it('is overloaded for an image that waited too long, and draws equal images with equal bytes', async () => {
    const thread = start({ waitMs: -1 });
    await assert.rejects(thread.draw(job(SMALL)), { code: 'overloaded' });
    const [first, second] = await Promise.all([shared.draw(job(SMALL)), shared.draw(job(SMALL))]);
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

/** Returns the title, which describes the content of the image. */
function titleOf(image: Buffer): string | undefined {
  return /<title>(.*?)\. Events: /.exec(image.toString())?.[1];
}

const SMALL = 3;

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
    columns: [],
    chart: null,
    warnings: [],
  } as const;
  return { format: 'svg', look: { theme: 'light', width: 1600 }, content };
}
