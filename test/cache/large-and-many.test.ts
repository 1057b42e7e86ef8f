import { expect } from 'chai';
import { eventually } from '../services/eventually.js';
import { type CachedService, definition, LENIENT, NAMES, startCachedService } from './cached-service.js';

const HIT = 'hit; detail=memory';

/** A query whose rows have 21 kB each. */
const large = (rows: number) =>
  definition('large', {
    sql: `SELECT e.id AS id, REPEAT('0123456789', 2100) AS name FROM github_events e ORDER BY e.id LIMIT ${rows}`,
  });

describe('the memory for answers', () => {
  let demo: CachedService;
  afterEach(() => demo?.close());
  const counts = () => demo.service.cache.counts();

  it('is limited, and popular answers survive many requests with other parameters', async () => {
    demo = await startCachedService([NAMES, LENIENT], { CACHE_MEMORY: '90kB' });
    const [popular, ofOther] = ['/v1/cached/names/?least=1', '/v1/cached/lenient/'];
    for (let time = 0; time < 3; time += 1) {
      await demo.ask(popular);
      await demo.ask(ofOther);
    }
    for (let least = 1_000; least < 1_300; least += 50) {
      await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          fetch(`${demo.service.url}/v1/cached/names/?least=${least + index}`).then((response) => response.text()),
        ),
      );
      expect(counts().bytes).to.be.within(1, 90_000);
    }
    expect(counts().evictions).to.be.above(150);
    expect([(await demo.ask(popular)).cache, (await demo.ask(ofOther)).cache]).to.deep.equal([HIT, HIT]);
  });

  it('stores an answer of 10 MB, and sends it compressed without compressing it for each request', async () => {
    demo = await startCachedService([large(500)]);
    const first = await demo.ask('/v1/cached/large/');
    expect([first.text.length > 10_000_000, first.cache]).to.deep.equal([true, 'fwd=miss; stored']);
    await eventually(async () => {
      const { cache, headers, text } = await demo.ask('/v1/cached/large/');
      expect([cache, text === first.text]).to.deep.equal([HIT, true]);
      // If the answer were compressed while it is sent, it would have a weak ETag.
      expect(headers.get('etag')).to.match(/^"/);
      return headers.get('content-encoding') !== null;
    });
    expect(counts()).to.include({ misses: 1, entries: 1 });
  });

  it('does not store an answer that needs most of it, or any answer if it is disabled', async () => {
    demo = await startCachedService([large(50), LENIENT], { CACHE_MEMORY: '2MB' });
    for (let time = 0; time < 2; time += 1) {
      const { cache, text } = await demo.ask('/v1/cached/large/');
      expect([cache, text.length > 1_000_000]).to.deep.equal(['fwd=miss', true]);
    }
    await demo.close();
    demo = await startCachedService([LENIENT], { CACHE_MEMORY: '0' });
    for (let time = 0; time < 2; time += 1) expect((await demo.ask('/v1/cached/lenient/')).cache).to.equal('fwd=miss');
    expect(counts()).to.include({ entries: 0, bytes: 0 });
  });
});
