import { expect } from 'chai';
import { type Computation, isStorable } from '../../engine/http/cache/answer-body.js';
import { isUsableEntry } from '../../engine/http/cache/serving/version-watch.js';
import type { ServedAnswer } from '../../engine/http/cache/stored-answer.js';
import type { Entry } from '../../engine/http/cache/stores/memory-answers.js';
import type { Answer } from '../../engine/index.js';
import { servedAnswer } from '../fast-path/served-answer.js';
import { eventually } from '../services/eventually.js';
import { onBothDatabases } from '../services/mysql.js';
import { type CachedService, LENIENT, NAMES, nameOf, startCachedService } from './cached-service.js';

const MISS = 'fwd=miss; stored';
const HIT = 'hit; detail=memory';

describe('a stored answer', () => {
  const entryOf = (served: ServedAnswer) =>
    ({ answer: served.answer, checked: undefined, isCurrent: false }) as unknown as Entry;

  it('is used only while the versions of its tables are those of now', () => {
    const entry = entryOf(servedAnswer('{}'));
    const [same, changed] = [new Map([['t', '7.a']]), new Map([['t', '8.a']])];
    const uses = [same, same, changed, same, undefined].map((tables) => isUsableEntry(entry, tables, 1_000_100_000));
    expect(uses).to.deep.equal([true, true, false, true, false]);
  });

  it('is stored only under the request for which it was computed', () => {
    const computation = (key: string) =>
      ({ identity: { key }, rule: { kind: 'timed', ttlMs: 1 } }) as unknown as Computation;
    const answer = { isComplete: true, key: 'of 11:00' } as unknown as Answer;
    expect(['of 11:00', 'of 10:00'].map((key) => isStorable(answer, computation(key)))).to.deep.equal([true, false]);
  });
});

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
      // The versions on a server are only read once per interval, because another process could commit at any time.
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
    // An answer that was not used again is not recomputed in the background, so the next request computes it.
    const unused = '/v1/cached/names/?least=0';
    expect((await demo.ask(unused, newest)).cache).to.equal(MISS);
    await demo.rename(3, 'changed');
    const answers = [await demo.ask(unused, newest), await demo.ask(unused, newest)];
    expect(answers.map((answer) => [answer.cache, nameOf(answer, 3)])).to.deep.equal([
      [MISS, 'changed'],
      [HIT, 'changed'],
    ]);
    expect(demo.service.cache.counts().misses).to.equal(misses + 2);
    // An answer in use is recomputed by this request or in the background.
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
