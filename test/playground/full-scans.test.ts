import { join } from 'node:path';
import { expect } from 'chai';
import { findFullScans } from '../../engine/authoring/index.js';
import { formatWarning } from '../../engine/index.js';
import { createScanFinder } from '../../explorer/playground/full-scans.js';
import { definitionOf, endpointOf } from '../engine/fixtures.js';
import { SERVER } from '../services/server.js';
import { FIXTURES, onEveryDatabase, type TestWarehouse } from '../warehouse/test-warehouse.js';

onEveryDatabase('the full scans of a definition', (make) => {
  let warehouse: TestWarehouse;

  before(async () => {
    warehouse = await make();
    await warehouse.import([join(FIXTURES, '2015-01-01-15.json')]);
  });
  after(() => warehouse.close());

  /** Returns the tables from which a SELECT reads at least this many rows. */
  async function scansOf(sql: string, least: number, params = '', more = ''): Promise<string[]> {
    const endpoint = await endpointOf(definitionOf(sql, params, more));
    const findScans = createScanFinder(warehouse.database, undefined, least);
    const warnings = await findFullScans(endpoint, { findScans, clock: () => new Date(0) });
    return warnings.map((warning) => formatWarning(warning).replace(`${endpoint.file}:`, ''));
  }

  it('are at the name of the table, once for all variants', async () => {
    const params = 'is_open: { in: query, type: boolean, default: true, description: State }';
    const sql =
      "SELECT COUNT(*) AS id\nFROM github_events\nWHERE comments > 0 {% if is_open %}AND state = 'open'{% endif %}";
    const scans = await scansOf(sql, 0, params);
    expect(scans.map((text) => text.replace(/about [\d,]+/, 'about n'))).to.deep.equal([
      '9:8 sql: The database reads about n rows of github_events for each request (got FROM github_events). Filter by columns ' +
        'with an index, read a derived table instead, or silence this rule with the reason under lint [full-scan]',
    ]);
  });

  it('are absent for a small table', async () => {
    expect(await scansOf('SELECT COUNT(*) AS id FROM github_events', 1_000_000)).to.deep.equal([]);
  });

  it('are absent if the definition silences the rule', async () => {
    const more = 'lint: { full-scan: The table is small. }';
    expect(await scansOf('SELECT COUNT(*) AS id FROM github_events', 0, '', more)).to.deep.equal([]);
  });

  it('are absent for a query that finds its rows by an index or a filter', async () => {
    const sql = 'SELECT COUNT(*) AS id FROM github_events WHERE repo_id = -5';
    // Without statistics, TiDB reads small tables completely.
    expect(await scansOf(sql, SERVER === 'TiDB' ? 1_000_000 : 100)).to.deep.equal([]);
  });
});
