import { expect } from 'chai';
import { definitionOf, endpointOf } from '../../engine/fixtures.js';
import { onEveryDatabase, type TestWarehouse } from '../test-warehouse.js';
import { answersDuring, engineOf, openVersions } from './open-versions.js';

/** A definition whose row and notice contain the number of the last transaction that wrote their table. */
const NUMBERS = definitionOf(
  'SELECT c.id FROM collections c',
  '',
  'notices: [{ when: always, sql: "SELECT CONCAT(\'items \', id) AS notice FROM collection_items" }]',
);
const READERS = 4;

/** Defines the suite with a number of transactions, which is a multiple of 3. */
export function describeExactAnswers(transactions: number): void {
  onEveryDatabase('answers during changes', (make) => {
    let warehouse: TestWarehouse;

    before(async () => {
      warehouse = await make();
      await warehouse.leave();
    });
    after(() => warehouse.close());

    it('equal the data of the versions that they state', async () => {
      const { database, store, versions, close } = await openVersions(warehouse);
      const endpoint = await endpointOf(NUMBERS);
      const engine = engineOf({ database, versions }, endpoint);
      const written = new Map<string | undefined, number>();
      const write = async (number: number) => {
        // Every third transaction writes only one of the two tables.
        const both = number % 3 !== 0;
        await store.write(async (tables) => {
          await tables.run('DELETE FROM collection_items WHERE 1 = 1');
          await tables.insertRows('collection_items', [[number, 1, 'a/b', 5, null, null]]);
          if (!both) return;
          await tables.run('DELETE FROM collections WHERE 1 = 1');
          await tables.insertRows('collections', [[number, 'One', 1]]);
        });
        const { tables } = await versions.confirm();
        written.set(tables.get('collection_items'), number);
        if (both) written.set(tables.get('collections'), number);
      };
      try {
        await write(1);
        expect(engine.cacheRule(endpoint)).to.deep.equal({ kind: 'exact', tables: endpoint.tables });
        const answers = await answersDuring(engine, endpoint, READERS, async () => {
          for (let number = 2; number <= transactions; number += 1) await write(number);
        });
        const exact = answers.filter((answer) => answer.versions !== undefined);
        const wrong = exact.filter(({ rows, notices, versions: own }) => {
          const [row, item] = ['collections', 'collection_items'].map((table) => written.get(own?.get(table)));
          return rows[0]?.[0] !== row || notices[0] !== `items ${item}`;
        });
        expect(wrong.map(({ rows, notices }) => [rows, notices])).to.deep.equal([]);
        const last = exact.at(-1);
        expect([last?.rows, last?.notices]).to.deep.equal([[[transactions - 1]], [`items ${transactions}`]]);
        expect(new Set(exact.map(({ rows }) => rows[0]?.[0])).size).to.be.greaterThan(1);
      } finally {
        await close();
      }
    });
  });
}
