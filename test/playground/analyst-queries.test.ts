import { expect } from 'chai';
import { TABLE_REFERENCE } from '../../warehouse/table-reference.js';
import { useMysql } from '../services/mysql.js';
import { SERVER } from '../services/server.js';
import { ANALYST_QUERIES } from './analyst-queries.js';
import { askPlayground, startTwoPlaygrounds, type TwoPlaygrounds } from './two-playgrounds.js';

describe('the playground: queries of analysts', () => {
  const server = useMysql();
  let two: TwoPlaygrounds;
  before(async () => {
    two = await startTwoPlaygrounds(server);
  });
  after(() => two?.close());

  const examples = [...TABLE_REFERENCE.values()].map(({ example = '' }) => example);
  for (const sql of [...ANALYST_QUERIES, ...examples]) {
    it(`returns equal rows on both databases: ${sql.replaceAll(/\s+/g, ' ')}`, async () => {
      const [embedded, served] = await Promise.all([askPlayground(two.embedded, sql), askPlayground(two.served, sql)]);
      expect(embedded.body.detail, 'DuckDB').to.equal(undefined);
      expect(served.body.detail, SERVER).to.equal(undefined);
      expect(served.body.data).to.deep.equal(embedded.body.data);
      // The demo data have no open-source databases.
      if (!sql.includes('osdb_repos')) expect(embedded.body.data).to.have.length.greaterThan(0);
    });
  }
});
