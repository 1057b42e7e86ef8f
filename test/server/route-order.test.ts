import { expect } from 'chai';
import fc from 'fast-check';
import { compareSpecificity } from '../../engine/http/operations/route-path.js';

describe('the order of routes', () => {
  it('has each literal path before the paths with parameters that also match it, among any other paths', () => {
    const paths = fc.uniqueArray(
      fc
        .array(fc.constantFrom('a', 'b', 'c', ':x'), { minLength: 1, maxLength: 4 })
        .map((parts) => `/${parts.join('/')}`),
      { minLength: 2, maxLength: 40 },
    );
    fc.assert(
      fc.property(paths, (all) => {
        const sorted = [...all].sort(compareSpecificity);
        for (const path of all.filter((one) => !one.includes(':'))) {
          const first = sorted.find((one) => patternOf(one).test(path));
          expect(first, sorted.join(' ')).to.equal(path);
        }
      }),
    );
  });
});

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(':x', '[^/]+')}$`);
}
