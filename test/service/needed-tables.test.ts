import { expect } from 'chai';
import { type EndpointQuery, rawFromValues } from '../../engine/index.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import { NOW } from './demo-data.js';
import { useSharedDemo } from './demo-service.js';

describe('the notices that need a table', () => {
  const shared = useSharedDemo();

  it('have no rows while it is empty, for all examples', async () => {
    const endpoints = await loadDefinitions({ endpointsDirectory: 'endpoints' });
    const { database } = shared.demo;
    const countRows = async (query: EndpointQuery, values = {}) => {
      const { sql, values: bound } = query.compile(values, new Date(NOW));
      return (await database.query(database.prepare(sql), bound, { timeoutMs: 10_000, maxRows: 10 })).rows.length;
    };
    let checked = 0;
    for (const { definition, parameters, readParameters, notices } of endpoints) {
      for (const { query, needs } of notices) {
        if (needs === undefined) continue;
        expect(await countRows(needs), needs.key).to.equal(0);
        for (const { params } of definition.examples) {
          const values = readParameters(rawFromValues(parameters, params));
          expect(await countRows(query, values), `${definition.name} ${query.key}`).to.equal(0);
          checked += 1;
        }
      }
    }
    expect(checked).to.be.greaterThan(20);
  });
});
