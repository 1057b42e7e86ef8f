import { expect } from 'chai';
import { createRandom, WeightedChoice } from '../../demo/world/random.js';

describe('random values of the demo', () => {
  const draws = (seed: number, stream: string) => {
    const random = createRandom(seed, stream);
    return [random.below(1000), random.below(1000), random.below(1000)];
  };

  it('repeat only for the same seed and stream', () => {
    expect(draws(1, 'people')).to.deep.equal(draws(1, 'people'));
    expect(draws(2, 'people')).not.to.deep.equal(draws(1, 'people'));
    expect(draws(1, 'names')).not.to.deep.equal(draws(1, 'people'));
  });

  it('follow the weights and never select a weight of zero', () => {
    const random = createRandom(1, 'weights');
    const choice = new WeightedChoice([1, 0, 3]);
    const counts = [0, 0, 0];
    for (let i = 0; i < 10_000; i++) {
      const place = choice.draw(random);
      counts[place] = (counts[place] ?? 0) + 1;
    }
    const [one = 0, none, three = 0] = counts;
    expect(none).to.equal(0);
    expect(three / one).to.be.within(2.8, 3.2);
    expect(() => new WeightedChoice([0, 0])).to.throw('expected 2 weights with a sum above 0, got 0');
  });

  it('give delays with the right median and at most 60 medians', () => {
    const random = createRandom(1, 'delays');
    const delays = Array.from({ length: 10_000 }, () => random.delay(100));
    expect(delays.filter((delay) => delay < 100).length).to.be.within(4_800, 5_200);
    expect(Math.max(...delays)).to.be.within(1_000, 6_000);
  });
});
