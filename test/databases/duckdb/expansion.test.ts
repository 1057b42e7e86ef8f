import { expect } from 'chai';
import { boundOnce } from '../../../databases/duckdb/translate/expansion.js';
import { translate } from '../../../databases/duckdb/translate.js';

describe('the size of a query once its macros are put in', () => {
  it('counts each word of a text without macros', () => {
    expect(boundOnce("SELECT a, f(b) FROM t WHERE c = 'x, y(z)'").words).to.equal(13);
  });

  it('multiplies with every call within a call', () => {
    const sizes = [1, 2, 3].map((calls) => boundOnce(`${'mysql.day_of('.repeat(calls)}x${')'.repeat(calls)}`).words);
    expect(sizes[1]).to.be.greaterThan(3 * (sizes[0] ?? 0));
    expect(sizes[2]).to.be.greaterThan(3 * (sizes[1] ?? 0));
  });

  it('is bounded, so that planning takes a bounded time', () => {
    const nested = (calls: number) => `SELECT ${'DATE('.repeat(calls)}x${')'.repeat(calls)} AS d FROM t`;
    expect(translate(nested(3))).to.contain('mysql.day_of');
    expect(() => translate(nested(8))).to.throw('A query with so many calls within calls');
    const doubled = `SELECT ${'GREATEST('.repeat(18)}x${', 1)'.repeat(18)} AS d FROM t`;
    expect(() => translate(doubled)).to.throw('An expression with so many calls within calls');
  });
});
