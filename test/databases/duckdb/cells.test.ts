import { expect } from 'chai';
import type { EmbeddedDatabase } from '../../../engine/databases/duckdb/embedded.js';
import type { Cell } from '../../../engine/index.js';
import { openTestDatabase } from './open-test-database.js';

const ROWS = 5_000;
const LONG = 300_000;

/** Texts that DuckDB stores in different ways: inline in the value or in separate memory, alone or together with others. */
const TEXTS: readonly (string | null)[] = [
  ...[
    'plain text of a row',
    'twelve chars',
    'thirteen char',
    null,
    '',
    'ä',
    'Ünïcödé and more than that',
    '😀'.repeat(9),
  ],
  ...['\uFEFFbegins with a mark', `a "quoted", text\r\nof two lines`, null],
];

describe('cells of the embedded database', () => {
  let database: EmbeddedDatabase;
  before(async () => {
    database = await openTestDatabase();
  });
  after(() => database.close());
  const read = async (sql: string) => (await database.query({ sql }, [], { maxRows: ROWS, timeoutMs: 20_000 })).rows;

  it('are the same texts in every order, next to NULL, with other alphabets and longer than a read', async () => {
    const list = TEXTS.map((text) => (text === null ? 'NULL' : `'${text}'`)).join(', ');
    const text = `CASE WHEN i % 2000 = 7 THEN repeat('x', ${LONG}) ELSE list_extract([${list}], (i % ${TEXTS.length})::INT + 1) END`;
    await database.write((connection) =>
      connection.run(`CREATE TABLE texts AS SELECT i, ${text} AS text FROM range(${ROWS}) r(i)`),
    );
    const expected = (i: number): Cell =>
      i % 2_000 === 7 ? 'x'.repeat(LONG) : (TEXTS[i % TEXTS.length] as string | null);
    for (const order of ['i', 'i DESC', 'hash(i)', 'text, i']) {
      for (const column of ['text', "text || ''", 'MAX(text)']) {
        const group = column.startsWith('MAX') ? 'GROUP BY i, text' : '';
        const rows = await read(`SELECT i, ${column} AS text FROM texts ${group} ORDER BY ${order}`);
        expect(rows.length).to.equal(ROWS);
        const wrong = rows.filter(([i, cell]) => cell !== expected(i as number)).map(([i]) => i);
        expect([order, column, wrong]).to.deep.equal([order, column, []]);
      }
    }
    const filtered = await read('SELECT i, text FROM texts WHERE text IS NULL OR i % 3 = 1');
    expect(filtered.every(([i, cell]) => cell === expected(i as number))).to.equal(true);
  });

  it('are exact numbers and times of every size, next to NULL', async () => {
    const columns = [
      ['TINYINT', '-128', -128],
      ['UTINYINT', '255', 255],
      ['SMALLINT', '-32768', -32_768],
      ['USMALLINT', '65535', 65_535],
      ['INTEGER', '-2147483648', -2_147_483_648],
      ['UINTEGER', '4294967295', 4_294_967_295],
      ['BIGINT', '9007199254740991', 9_007_199_254_740_991],
      ['BIGINT', '9007199254740992', 9_007_199_254_740_992n],
      ['BIGINT', '-9007199254740993', -9_007_199_254_740_993n],
      ['BIGINT', '-1', -1],
      ['BIGINT', '-9223372036854775808', -9_223_372_036_854_775_808n],
      ['UBIGINT', '18446744073709551615', 18_446_744_073_709_551_615n],
      ['HUGEINT', '12', 12],
      ['DECIMAL(4, 2)', '-0.05', '-0.05'],
      ['DECIMAL(9, 3)', '123456.789', '123456.789'],
      ['DECIMAL(18, 2)', '-9999999999999999.99', '-9999999999999999.99'],
      ['DECIMAL(18, 0)', '7', '7'],
      ['DECIMAL(38, 6)', '12345678901234567890.123456', '12345678901234567890.123456'],
      ['FLOAT', '0.5', 0.5],
      ['DOUBLE', '-1e300', -1e300],
      ['BOOLEAN', 'true', 1],
      ['DATE', '0001-01-01', '0001-01-01'],
      ['DATE', '9999-12-31', '9999-12-31'],
      ['TIMESTAMP', '1969-12-31 23:59:59', '1969-12-31 23:59:59'],
      ['TIMESTAMP', '2024-02-29 01:02:03.000004', '2024-02-29 01:02:03.000004'],
      ['TIMESTAMP', '9999-12-31 23:59:59', '9999-12-31 23:59:59'],
      ['TIMESTAMP', '0001-01-01 00:00:00', '0001-01-01 00:00:00'],
      ['TIMESTAMP_S', '2024-02-29 01:02:03', '2024-02-29 01:02:03'],
    ] as const;
    const select = columns.map(([type, text], index) => `CASE WHEN i % 3 = 0 THEN '${text}'::${type} END AS c${index}`);
    const rows = await read(`SELECT i, ${select.join(', ')} FROM range(3000) r(i) ORDER BY i`);
    const values = columns.map(([, , value]) => value);
    const nulls = columns.map(() => null);
    expect(rows.slice(0, 3)).to.deep.equal([
      [0, ...values],
      [1, ...nulls],
      [2, ...nulls],
    ]);
    expect(
      rows.every(([i, ...cells]) => cells.every((cell, at) => cell === ((i as number) % 3 === 0 ? values[at] : null))),
    ).to.equal(true);
  });
});
