import { expect } from 'chai';
import { onBothDatabases } from '../services/mysql.js';
import { createRollupApi, type RollupApi, type RollupProcess } from './rollup-api.js';

/** Expressions whose values a store can change: long integers and decimals, fractions of a second, texts, and values that are NULL. */
const VALUES: readonly (readonly [name: string, type: string, sql: string])[] = [
  ['large', 'BIGINT', 'CAST(9223372036854775807 AS SIGNED)'],
  ['sum_of_large', 'DECIMAL, scale: 0', 'SUM(9223372036854775807)'],
  ['long_decimal', 'DECIMAL, scale: 9', 'CAST(12345678901234567890.123456789 AS DECIMAL(38, 9))'],
  ['fraction', 'DATETIME', "CAST('2026-02-01 10:00:00.123456' AS DATETIME(6))"],
  ['day', 'DATE', "CAST('1000-01-01' AS DATE)"],
  ['quotient', 'DECIMAL, scale: 4', '1 / 3'],
  ['quotient_of_sums', 'DECIMAL, scale: 6', 'SUM(total) / SUM(id + 2)'],
  ['average', 'DECIMAL, scale: 4', 'AVG(total / 7)'],
  ['by_zero', 'DECIMAL, scale: 4', '1 / 0'],
  ['binary_number', 'DOUBLE', '0.1e0 + 0.2e0'],
  ['words', 'VARCHAR', "'a ''b'' \\\\ 😀\\n'"],
  ['spaces', 'VARCHAR', "'x  '"],
  ['no_words', 'VARCHAR', "''"],
  ['nothing', 'VARCHAR', 'MAX(NULLIF(shop, shop))'],
  ['items', 'JSON', "JSON_OBJECT('a', 1)"],
  ['minutes', 'TIME', "CAST('10:11:12' AS TIME)"],
];

onBothDatabases('the values of materialized rows', (database) => {
  let api: RollupApi;
  let process: RollupProcess;
  before(async () => {
    api = await createRollupApi(database());
    await api.writeOrders([{ id: 1, shop: 'a', at: '2026-02-01 00:00:00', total: '1.00' }]);
    const columns = VALUES.map(
      ([name, type]) => `  - { col: ${name}, data_type: ${type}, nullable: true, description: Value. }`,
    );
    const outputs = VALUES.map(([name, , sql]) => `    ${sql} AS ${name}`);
    await api.define(
      'every-value',
      `columns:\n  - { col: id, data_type: BIGINT, nullable: false, description: Key. }\n${columns.join('\n')}
sql: |
  SELECT id,\n${outputs.join(',\n')}
  FROM orders GROUP BY id
materialize: { every: 1h, key: [id] }
`,
    );
    process = await api.open();
    await process.work.start();
  });
  after(() => api.close());

  it('are those of the query', async () => {
    expect(process.log.filter(({ level }) => level === 50)).to.deep.equal([]);
    const computed = await process.rowsOf('every-value', { isComputed: true });
    expect(computed).to.have.length(1);
    expect(await process.rowsOf('every-value')).to.deep.equal(computed);
  });
});
