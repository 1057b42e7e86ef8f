import { expect } from 'chai';
import { createLimiter, type Limiter, takeAll, type Usage } from '../../engine/http/limits/limiter.js';

const take = async (limiter: Limiter, key: string): Promise<Usage> => {
  const [usage] = await takeAll([{ limiter, key }]);
  return usage as Usage;
};
const remaining = ({ limit, known }: Limiter, key: string) => limit.points - known.countOf(key);

describe('a limiter', () => {
  it('allows its points in a window that begins with the first request, and again in the next window', async () => {
    let time = 0;
    const limiter = createLimiter({ name: 'short', points: 2, seconds: 2 }, undefined, () => time);
    const facts = ({ remaining, isOver, resetMs }: Usage) => [remaining, isOver, resetMs];
    const taken: Usage[] = [];
    for (const [at, key] of [
      [0, 'a'],
      [500, 'a'],
      [1_999, 'a'],
      [1_999, 'b'],
      [2_000, 'a'],
    ] as const) {
      time = at;
      taken.push(await take(limiter, key));
    }
    expect(taken.map(facts)).to.deep.equal([
      [1, false, 2_000],
      [0, false, 1_500],
      [0, true, 1],
      [1, false, 2_000],
      [1, false, 2_000],
    ]);
    time = 4_000;
    expect(remaining(limiter, 'a')).to.equal(2);
  });

  it('counts concurrent requests exactly', async () => {
    const limiter = createLimiter({ name: 'burst', points: 600, seconds: 60 });
    const taken = await Promise.all(Array.from({ length: 2_000 }, () => take(limiter, 'a')));
    expect(taken.filter(({ isOver }) => !isOver)).to.have.length(600);
  });

  it('takes no point of any limit if one of several limits is used up', async () => {
    const limiters = [5, 2].map((points) => createLimiter({ name: `of ${points}`, points, seconds: 60 }));
    const takeBoth = () => takeAll(limiters.map((limiter) => ({ limiter, key: 'a' })));
    const taken = [await takeBoth(), await takeBoth(), await takeBoth(), await takeBoth()];
    expect(taken.map((usages) => usages.map(({ remaining, isOver }) => [remaining, isOver]))).to.deep.equal([
      [
        [4, false],
        [1, false],
      ],
      [
        [3, false],
        [0, false],
      ],
      [
        [3, false],
        [0, true],
      ],
      [
        [3, false],
        [0, true],
      ],
    ]);
  });

  it('keeps at most its maximum number of keys, and drops those that were used least recently', async () => {
    const limiter = createLimiter({ name: 'many', points: 10, seconds: 60, maxKeys: 100 });
    await take(limiter, 'first');
    await take(limiter, 'faithful');
    for (let index = 0; index < 1_000; index += 1) {
      await take(limiter, `address ${index}`);
      if (index % 50 === 0) await take(limiter, 'faithful');
    }
    const left = (key: string) => remaining(limiter, key);
    expect([left('first'), left('address 899'), left('address 999')]).to.deep.equal([10, 10, 9]);
    expect(left('faithful')).to.be.at.most(0);
  });
});
