import { expect } from 'chai';
import { readQueries, withRules } from './query-files.js';

const SCHEMAS = ['shop', 'library', 'sensors', 'payroll'];

describe('warnings about queries of analysts', () => {
  let [correct, wrong] = [0, 0];

  for (const schema of SCHEMAS) {
    it(`name each silent mistake in queries of the ${schema}, and no correct query`, async () => {
      const [queries, mistakes] = [await readQueries(`${schema}.sql`), await readQueries(`${schema}.mistakes.sql`)];
      expect(await withRules(schema, [...queries, ...mistakes])).to.deep.equal([...queries, ...mistakes]);
      correct += queries.length;
      wrong += mistakes.length;
    });
  }

  it('are tested with many queries', () => {
    expect(correct).to.be.at.least(300);
    expect(wrong).to.be.at.least(60);
  });
});
