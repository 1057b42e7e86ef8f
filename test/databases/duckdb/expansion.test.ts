import { expect } from 'chai';
import { bindLongArguments } from '../../../engine/sql/duckdb/expansion.js';
import { translate } from '../../../engine/sql/duckdb/translate.js';

describe('the size of a query after the expansion of its macros', () => {
  it('counts each word of a text without macros', () => {
    expect(bindLongArguments("SELECT a, f(b) FROM t WHERE c = 'x, y(z)'").words).to.equal(13);
  });

  it('contains a long argument once, as the field of a lambda parameter', () => {
    const long = `concat(${Array.from({ length: 2_000 }, () => 'x').join(', ')})`;
    const { sql, words } = bindLongArguments(`SELECT mysql.day_of(${long}) FROM t`);
    expect(sql).to.equal(`SELECT list_transform([{ 'a0': ${long} }], lambda bound: mysql.day_of(bound.a0))[1] FROM t`);
    expect(words).to.be.lessThan(5_000);
  });

  it('keeps short arguments, which may have to be constants, and quoted texts', () => {
    const sql = "SELECT mysql.rounded(a, 2), [1, 2], { 'b': 3 }, 'mysql.day_of(x, y' FROM t";
    expect(bindLongArguments(sql).sql).to.equal(sql);
  });

  it('grows linearly with the depth of nested calls', () => {
    const sizes = [8, 16, 24].map(
      (calls) => bindLongArguments(`${'mysql.day_of('.repeat(calls)}x${')'.repeat(calls)}`).words,
    );
    expect(sizes[2]).to.be.lessThan(4 * (sizes[0] ?? 0));
  });

  it('has a maximum, so that the planning time is bounded', () => {
    const many = `SELECT ${Array.from({ length: 1_000 }, (_, index) => `WEEK(DATE(a), 1) AS d${index}`).join(', ')} FROM t`;
    expect(() => translate(many)).to.throw('A query with so many nested calls');
    const doubled = `SELECT ${'GREATEST('.repeat(18)}x${', 1)'.repeat(18)} AS d FROM t`;
    expect(() => translate(doubled)).to.throw('An expression with so many nested calls');
  });
});
