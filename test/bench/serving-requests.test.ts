import { expect } from 'chai';
import { createKeys, drawByZipf } from '../../bench/serving/imports/requested-keys.js';
import { COPIES, REQUESTS } from '../../bench/serving/misses/requests.js';
import { loadDefinitions } from '../../server/settings/definitions.js';

const REPOSITORIES = Array.from({ length: 40 }, (_, index) => `owner-${index}/repo-${index}`);

describe('the requests of the serving benchmark', () => {
  for (const [name, requestOf] of Object.entries(REQUESTS)) {
    it(`are all different for the misses of ${name}`, () => {
      const paths = Array.from({ length: COPIES.count }, (_, index) => requestOf(index, REPOSITORIES).path);
      expect(new Set(paths).size).to.equal(COPIES.count);
    });
  }

  it('cover all operations for a day of traffic, in the same order each time', async () => {
    const endpoints = await loadDefinitions({ endpointsDirectory: undefined });
    const keys = createKeys(endpoints, REPOSITORIES);
    expect(keys).to.have.length.above(2_000);
    expect(createKeys(endpoints, REPOSITORIES)).to.deep.equal(keys);
    for (const { definition } of endpoints) {
      const pattern = new RegExp(`^${(definition.path ?? '').replace(/\{\w+\}/g, '[^/?]+')}(\\?|$)`);
      expect(
        keys.some((key) => pattern.test(key)),
        definition.name,
      ).to.equal(true);
    }
  });

  it('have the frequencies of Zipf’s law', () => {
    const draw = drawByZipf(['a', 'b', 'c', 'd']);
    const counts = new Map<string, number>();
    for (let index = 0; index < 25_000; index += 1) {
      const key = draw();
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    // 1 / (1 + 1/2 + 1/3 + 1/4) = 0.48 of all requests.
    const shares = ['a', 'b', 'c', 'd'].map((key) => Math.round(((counts.get(key) ?? 0) / 25_000) * 50) / 50);
    expect(shares).to.deep.equal([0.48, 0.24, 0.16, 0.12]);
  });
});
