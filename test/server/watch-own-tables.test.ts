import { expect } from 'chai';
import { pino } from 'pino';
import { watchEndpoints } from '../../server/background/watch-endpoints.js';
import { definitionOf, endpointOf } from '../engine/fixtures.js';
import { eventually } from '../services/eventually.js';
import { loadFile, writeTable } from '../warehouse/own-tables/own-files.js';
import { testWarehouse } from '../warehouse/test-warehouse.js';
import { engineOf, openVersions } from '../warehouse/versions/open-versions.js';

describe('an endpoint that reads an own table', () => {
  it('is repaired at once when the table is loaded', async () => {
    const warehouse = await testWarehouse();
    await warehouse.leave();
    const { database, store, versions, close } = await openVersions(warehouse);
    const endpoint = await endpointOf(definitionOf('SELECT id FROM own_list'));
    const engine = engineOf({ database, versions }, endpoint);
    // No retry is needed, because all definitions were valid when they were loaded.
    const definitions = { retryRejected: async () => undefined };
    const watching = await watchEndpoints(engine, definitions, pino({ level: 'silent' }), versions);
    try {
      expect(engine.broken()).to.have.length(1);
      await writeTable(warehouse, 'list.csv', 'id\n5\n');
      await loadFile({ ...warehouse, store }, 'list.csv');
      await eventually(() => engine.broken().length === 0);
      expect((await engine.run(endpoint, { path: {}, query: {} })).rows).to.deep.equal([[5]]);
    } finally {
      await watching.stop();
      await close();
      await warehouse.close();
    }
  });
});
