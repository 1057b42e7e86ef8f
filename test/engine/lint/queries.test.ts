import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import type { EmbeddedDatabase } from '../../../engine/databases/duckdb/embedded.js';
import { openMysql } from '../../../engine/databases/mysql/database.js';
import { readCatalogue, tableFactsOf } from '../../../engine/index.js';
import { execute, useMysql } from '../../services/mysql.js';
import { SERVER } from '../../services/server.js';
import { openSchemas, readQueries, readSchemas, withRules } from './query-files.js';

const SCHEMAS = ['shop', 'library', 'sensors', 'payroll'];

describe('warnings about queries of analysts', () => {
  let database: EmbeddedDatabase;
  let [correct, wrong] = [0, 0];

  before(async () => {
    database = await openSchemas(SCHEMAS);
  });

  after(() => database.close());

  for (const schema of SCHEMAS) {
    it(`name each silent mistake in queries of the ${schema}, and no correct query`, async () => {
      const [queries, mistakes] = [await readQueries(`${schema}.sql`), await readQueries(`${schema}.mistakes.sql`)];
      const all = [...queries, ...mistakes];
      const found = await withRules(database, all);
      // Only the queries that differ are compared, because a difference in a long list is not readable.
      const different = all.flatMap((query, index) => (isDeepStrictEqual(query, found[index]) ? [] : [index]));
      expect(different.map((index) => found[index])).to.deep.equal(different.map((index) => all[index]));
      correct += queries.length;
      wrong += mistakes.length;
    });
  }

  it('are tested with many queries', () => {
    expect(correct).to.be.at.least(300);
    expect(wrong).to.be.at.least(60);
  });
});

describe(`facts about the tables of ${SERVER}`, () => {
  const server = useMysql();

  it('are those of the same tables of the embedded database: types, NULL, keys and values of ENUMs', async () => {
    const statements = await readSchemas(SCHEMAS);
    await execute(server.url, ...statements);
    const databases = [
      await openSchemas(SCHEMAS),
      await openMysql({ url: server.url, connections: 1, allowWritingAccount: true }),
    ];
    const names = statements.map((statement) => /CREATE TABLE (\w+)/.exec(statement)?.[1] ?? '');
    const [embedded, served] = await Promise.all(
      databases.map(async (database) => {
        const facts = tableFactsOf(await readCatalogue(database));
        await database.close();
        // The columns of a key have no order.
        return names.map((name) => [name, facts(name)?.columns, facts(name)?.keys.map((key) => key.toSorted())]);
      }),
    );
    expect(served).to.deep.equal(embedded);
  });
});
