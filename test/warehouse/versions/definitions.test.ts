import { expect } from 'chai';
import { findCacheNotes } from '../../../engine/index.js';
import { loadDefinitions } from '../../../server/settings/definitions.js';
import { readVersionedTables } from '../../../warehouse/schema/versioned-tables.js';

describe('the definitions of this program', () => {
  it('read only tables with versions and change at most every hour, so their answers can be stored', async () => {
    const versioned = new Set(await readVersionedTables());
    const definitions = await loadDefinitions({ endpointsDirectory: undefined });
    const unlike = definitions.filter(
      ({ tables, clock, definition }) =>
        tables.size === 0 ||
        [...tables].some((table) => !versioned.has(table)) ||
        clock === 'second' ||
        definition.serveStaleMs !== 30_000 ||
        definition.cacheTtlMs !== undefined,
    );
    expect([definitions.length, unlike.map(({ definition }) => definition.name)]).to.deep.equal([46, []]);
    expect(definitions.flatMap((one) => findCacheNotes(one, (table) => versioned.has(table)))).to.deep.equal([]);
  });
});
