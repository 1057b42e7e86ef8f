import { expect } from 'chai';
import { filterTables } from '../../../engine/sql/row-filter.js';
import { SERVER } from '../../services/server.js';
import { TENANT, useServer } from './tenant-databases.js';

/** Queries whose second run returns other rows on MariaDB 10.11, if a connection runs a prepared statement twice. */
const QUERIES = [
  'SELECT id AS c1 FROM customers AS o WHERE NOT EXISTS (SELECT order_id AS c1 FROM items AS i WHERE i.amount = o.region)',
  'SELECT tenant_id AS c1 FROM items AS t1 WHERE EXISTS (SELECT tenant_id AS c1 FROM items AS t2 WHERE t2.amount = t1.order_id)',
  'SELECT region AS c1 FROM customers AS t1 WHERE NOT EXISTS (SELECT DISTINCT o.tenant_id AS c1 FROM orders AS o WHERE o.id = t1.region)',
];

describe(`a restricted query on ${SERVER}`, () => {
  const databases = useServer();

  it('returns the same rows each time', async () => {
    for (const sql of QUERIES) {
      const options = { maxRows: 1_000, timeoutMs: 600_000 };
      const expected = await databases.own.query(databases.own.prepare(sql), [], options);
      const query = databases.all.prepare(filterTables(sql, () => 'tenant_id = :p1'));
      for (let run = 1; run <= 3; run += 1) {
        const { rows } = await databases.all.query(query, [TENANT], options);
        expect(rows.map(String).sort(), `run ${run} of ${sql}`).to.deep.equal(expected.rows.map(String).sort());
      }
    }
  });
});
