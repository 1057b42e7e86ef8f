import { expect } from 'chai';
import { definitionOf, endpointOf } from '../../engine/fixtures.js';
import { itExceptOnTidb } from '../../services/server.js';
import { onEveryDatabase, type TestWarehouse } from '../test-warehouse.js';
import { answersDuring, engineOf, openVersions } from '../versions/open-versions.js';
import { loadFile, writeTable } from './own-files.js';

const LOADS = 8;
const READERS = 3;

onEveryDatabase('answers while an own table is replaced', (make) => {
  let warehouse: TestWarehouse;

  before(async () => {
    warehouse = await make();
    await warehouse.leave();
  });
  after(() => warehouse.close());

  const reason = 'TiDB can stop queries that read a table while its name changes';
  itExceptOnTidb(reason, 'have all rows of one load, state its version, and never fail', async () => {
    const { database, store, versions, close } = await openVersions(warehouse);
    const endpoint = await endpointOf(
      definitionOf('SELECT MIN(id) AS id FROM own_list HAVING MIN(id) = MAX(id) AND COUNT(*) = 100'),
    );
    const engine = engineOf({ database, versions }, endpoint);
    const loaded = new Map<string | undefined, number>();
    const load = async (number: number) => {
      await writeTable(warehouse, 'list.csv', `id\n${`${number}\n`.repeat(100)}`);
      await loadFile({ ...warehouse, store }, 'list.csv', { replace: true });
      loaded.set((await versions.confirm()).tables.get('own_list'), number);
    };
    try {
      await load(1);
      const answers = await answersDuring(engine, endpoint, READERS, async () => {
        for (let number = 2; number <= LOADS; number += 1) await load(number);
      });
      expect(answers.filter(({ rows }) => rows.length !== 1)).to.deep.equal([]);
      const exact = answers.filter(({ versions: own }) => own !== undefined);
      const wrong = exact.filter(({ rows, versions: own }) => rows[0]?.[0] !== loaded.get(own?.get('own_list')));
      expect(wrong.map(({ rows }) => rows)).to.deep.equal([]);
      expect(exact.at(-1)?.rows).to.deep.equal([[LOADS]]);
      expect(new Set(exact.map(({ rows }) => rows[0]?.[0])).size).to.be.greaterThan(1);
    } finally {
      await close();
    }
  });
});
