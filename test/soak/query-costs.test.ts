import { Playground } from '../../explorer/playground/playground.js';
import { TABLE_REFERENCE } from '../../warehouse/table-reference.js';
import { type ExplorerWarehouse, openExplorerWarehouse } from '../explorer/explorer-warehouse.js';
import { expectKnownCosts, QUERIES } from '../explorer/known-costs.js';
import { onBothDatabases } from '../services/mysql.js';

onBothDatabases('the cost of a query', (environment) => {
  let warehouse: ExplorerWarehouse;
  let playground: Playground;
  before(async () => {
    warehouse = await openExplorerWarehouse(environment());
    playground = new Playground(await warehouse.openPlayground(), TABLE_REFERENCE, 600_000);
  });
  after(() => warehouse?.close());

  it('is known for every query that analysts ask, and cheap for most', () => expectKnownCosts(playground, QUERIES));
});
