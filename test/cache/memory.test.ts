import { expect } from 'chai';
import { eventually } from '../services/eventually.js';
import { onBothDatabases } from '../services/mysql.js';
import { type CachedService, LENIENT, NAMES, nameOf, startCachedService } from './cached-service.js';

const MISS = 'fwd=miss; stored';
const HIT = 'hit; detail=memory';

onBothDatabases('answers in memory', (environment) => {
  let demo: CachedService;
  before(async () => {
    demo = await startCachedService([NAMES, LENIENT], environment());
  });
  after(() => demo?.close());

  it('are the bytes of the first answer while no commit changes their tables', async () => {
    const first = await demo.ask('/v1/cached/names/?least=1');
    const second = await demo.ask('/v1/cached/names/?least=1');
    expect([first.cache, second.cache]).to.deep.equal([MISS, HIT]);
    expect(second.text).to.equal(first.text);
    expect(nameOf(second, 1)).to.be.a('string');
  });

  it('are the same for each spelling of a request, and separate for the two formats', async () => {
    const caches = [];
    for (const path of ['/v1/cached/names/?least=7', '/v1/cached/names?least=%37', '/q/names?least=7']) {
      for (let time = 0; time < 3; time += 1) caches.push((await demo.ask(path)).cache);
    }
    expect(caches).to.deep.equal([MISS, HIT, HIT, HIT, HIT, HIT, MISS, HIT, HIT]);
  });

  it('are never those of an earlier version after a commit in this process', async () => {
    for (let round = 0; round < 5; round += 1) {
      await demo.ask('/v1/cached/names/?least=2');
      await demo.rename(2, `name ${round}`);
      // Another process could commit at any time, so a server is asked only once per interval.
      await eventually(async () => nameOf(await demo.ask('/v1/cached/names/?least=2'), 2) === `name ${round}`);
      const current = await demo.ask('/v1/cached/names/?least=2', { headers: { 'Cache-Control': 'no-cache' } });
      expect(nameOf(current, 2)).to.equal(`name ${round}`);
    }
  });

  it('are the newest for clients that send no-cache, with a query only if the data have changed', async () => {
    const newest = { headers: { 'Cache-Control': 'no-cache' } };
    await demo.ask('/v1/cached/names/?least=3');
    const { misses } = demo.service.cache.counts();
    for (let time = 0; time < 10; time += 1) {
      expect((await demo.ask('/v1/cached/names/?least=3', newest)).cache).to.equal(HIT);
    }
    expect(demo.service.cache.counts().misses).to.equal(misses);
    // An answer that no request used again is not recomputed in the background, so exactly the next request computes it.
    const unused = '/v1/cached/names/?least=0';
    expect((await demo.ask(unused, newest)).cache).to.equal(MISS);
    await demo.rename(3, 'changed');
    const answers = [await demo.ask(unused, newest), await demo.ask(unused, newest)];
    expect(answers.map((answer) => [answer.cache, nameOf(answer, 3)])).to.deep.equal([
      [MISS, 'changed'],
      [HIT, 'changed'],
    ]);
    expect(demo.service.cache.counts().misses).to.equal(misses + 2);
    // The used answer is computed by this request or in the background.
    expect(nameOf(await demo.ask('/v1/cached/names/?least=3', newest), 3)).to.equal('changed');
  });

  it('state that they are stale while the answer after a commit is computed, if the definition allows it', async () => {
    const first = await demo.ask('/v1/cached/lenient/');
    expect(first.body.data.result).to.include({ stale: false });
    await demo.rename(4, 'lenient');
    const answers = [first];
    await eventually(async () => {
      const answer = await demo.ask('/v1/cached/lenient/');
      answers.push(answer);
      return nameOf(answer, 4) === 'lenient';
    });
    for (const answer of answers) {
      const { stale, notices } = answer.body.data.result;
      const isStale = answer.cache === 'fwd=stale; detail=recomputing';
      expect({ stale, hasNotice: notices.some((notice) => /^The data have changed/.test(notice)) }).to.deep.equal({
        stale: isStale,
        hasNotice: isStale,
      });
    }
    expect((await demo.ask('/v1/cached/lenient/')).cache).to.equal(HIT);
  });
});
