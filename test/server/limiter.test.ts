import { expect } from 'chai';
import { createLimiter } from '../../server/limits/limiter.js';
import { eventually } from '../services/eventually.js';

describe('a limiter', () => {
  it('lets so many through in a window that begins with the first, and again in the next', async () => {
    const limiter = createLimiter({ name: 'short', points: 2, seconds: 1 });
    const taken = [await limiter.take('a'), await limiter.take('a'), await limiter.take('a'), await limiter.take('b')];
    expect(taken.map(({ remaining, isOver }) => [remaining, isOver])).to.deep.equal([
      [1, false],
      [0, false],
      [0, true],
      [1, false],
    ]);
    expect(taken[2]?.resetMs).to.be.within(1, 1_000);
    await eventually(2_000, async () => (await limiter.peek('a')).remaining === 2);
    expect((await limiter.take('a')).remaining).to.equal(1);
  });

  it('is exact however many ask at once', async () => {
    const limiter = createLimiter({ name: 'burst', points: 600, seconds: 60 });
    const taken = await Promise.all(Array.from({ length: 2_000 }, () => limiter.take('a')));
    expect(taken.filter(({ isOver }) => !isOver)).to.have.length(600);
  });

  it('takes nothing by looking, and gives back what was taken for nothing', async () => {
    const limiter = createLimiter({ name: 'back', points: 2, seconds: 60 });
    await limiter.take('a');
    await limiter.take('a');
    await limiter.giveBack('a');
    const [looked, again] = [await limiter.peek('a'), await limiter.peek('a')];
    expect([looked.remaining, again.remaining, (await limiter.take('a')).isOver]).to.deep.equal([1, 1, false]);
  });

  it('remembers no more keys than it may, and forgets those that were silent for longest', async () => {
    const limiter = createLimiter({ name: 'many', points: 10, seconds: 60, maxKeys: 100 });
    await limiter.take('first');
    await limiter.take('faithful');
    for (let index = 0; index < 1_000; index += 1) {
      await limiter.take(`address ${index}`);
      if (index % 50 === 0) await limiter.take('faithful');
    }
    const left = async (key: string) => (await limiter.peek(key)).remaining;
    expect([await left('first'), await left('address 899'), await left('address 999')]).to.deep.equal([10, 10, 9]);
    expect(await left('faithful')).to.equal(0);
  });

  it('neither prolongs a window nor tells that it does when the clock is set back', async () => {
    const limiter = createLimiter({ name: 'back', points: 1, seconds: 1 });
    await limiter.take('a');
    const { now } = Date;
    try {
      Date.now = () => now() - 86_400_000;
      const { isOver, resetMs } = await limiter.take('a');
      expect([isOver, resetMs]).to.deep.equal([true, 1_000]);
      await eventually(5_000, async () => (await limiter.peek('a')).remaining === 1);
    } finally {
      Date.now = now;
    }
  });
});
