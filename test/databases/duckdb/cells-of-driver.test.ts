import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { expect } from 'chai';
import { readRows } from '../../../engine/databases/duckdb/connection/read-rows.js';
import { JsonDuckDBValueConverter } from '../../../engine/databases/duckdb/driver/node-api.js';
import type { EmbeddedDatabase } from '../../../engine/databases/duckdb/embedded.js';
import type { Cell } from '../../../engine/index.js';
import { openTestDatabase } from './open-test-database.js';

const ROWS = 2_300;

/** An expression for a pseudo-random number of 64 bits, which differs for each row and each `salt`. */
const bits = (salt: number) => `hash(i * 64 + ${salt})`;
const signed = (salt: number) => `(${bits(salt)}::HUGEINT - 9223372036854775808)`;
/** Drops a varying number of bits, so that all sizes of numbers are equally frequent. */
const sized = (salt: number, width: number) =>
  `(${signed(salt)} // (2::HUGEINT ** (${64 - width} + ${bits(salt + 1)} % ${width})::INT)::HUGEINT)`;
const decimal = (width: number, scale: number, binary: number) =>
  `(${sized(width, binary)}::DECIMAL(38, 0) / 10 ** ${scale})::DECIMAL(${width}, ${scale})`;
const WORD = `['', 'a', 'twelve chars', 'thirteen char', 'zwölf Zeich', 'dreizehn Zéi', 'ein langer Text mit ä', '😀😀😀😀', 'null' || chr(0) || 'in the middle']`;

const COLUMNS: Record<string, string> = {
  boolean: `${bits(0)} % 2 = 0`,
  tiny: `${sized(1, 8)}::TINYINT`,
  utiny: `(${bits(2)} % 256)::UTINYINT`,
  small: `${sized(3, 16)}::SMALLINT`,
  usmall: `(${bits(4)} % 65536)::USMALLINT`,
  whole: `${sized(5, 32)}::INTEGER`,
  uwhole: `(${bits(6)} % 4294967296)::UINTEGER`,
  big: `${sized(7, 64)}::BIGINT`,
  ubig: `${bits(8)} >> (${bits(9)} % 64)::INT`,
  huge: `${sized(10, 64)}::HUGEINT * (${bits(11)} % 9000000000)::HUGEINT`,
  uhuge: `${bits(11)}::UHUGEINT * (${bits(12)} % 9000000000)::UHUGEINT`,
  decimal4: decimal(4, 2, 13),
  decimal9: decimal(9, 4, 29),
  decimal18: decimal(18, 0, 59),
  decimal18fraction: decimal(18, 17, 59),
  decimal38: `(${sized(13, 64)}::DECIMAL(38, 6) * 1.000001)::DECIMAL(38, 12)`,
  float: `(${sized(14, 64)} / 1e9)::FLOAT`,
  double: `${sized(15, 64)} / 1e15`,
  date: `CASE ${bits(16)} % 20 WHEN 0 THEN 'infinity'::DATE WHEN 1 THEN '-infinity'::DATE ELSE '1970-01-01'::DATE + ${sized(17, 25)}::INT END`,
  time: `make_timestamp((${bits(18)} % 86400000000)::BIGINT)::TIME`,
  timestamp: `CASE ${bits(19)} % 20 WHEN 0 THEN 'infinity'::TIMESTAMP WHEN 1 THEN '-infinity'::TIMESTAMP ELSE make_timestamp(${sized(20, 60)}::BIGINT) END`,
  timestamp_s: `make_timestamp((${sized(21, 40)} * 1000000)::BIGINT)::TIMESTAMP_S`,
  timestamp_ms: `make_timestamp((${sized(22, 45)} * 1000)::BIGINT)::TIMESTAMP_MS`,
  text: `list_extract(${WORD}, (${bits(23)} % 9)::INT + 1)`,
  longtext: `repeat(list_extract(${WORD}, (${bits(24)} % 9)::INT + 1), (${bits(25)} % 50)::INT)`,
  choice: `list_extract(['x', 'a long value of an enumeration', 'ü'], (${bits(26)} % 3)::INT + 1)::ENUM('x', 'a long value of an enumeration', 'ü')`,
  blob: `encode(repeat(chr((${bits(27)} % 300 + 1)::INT), (${bits(28)} % 40)::INT))`,
  uuid: `md5(i::VARCHAR)::UUID`,
  list: `[i, NULL, ${bits(29)} % 5]`,
  struct: `{ 'a': ${bits(30)} % 3, 'b': repeat('ä', (${bits(31)} % 9)::INT) }`,
  constant: `'a constant text that is longer than a value'`,
  nothing: `NULL::VARCHAR`,
};

/**
 * Queries whose results DuckDB stores in different kinds of vectors: flat, with a selection of rows, constant, dictionary, and from several
 * sources.
 */
const QUERIES: Record<string, string> = {
  'no rows': 'SELECT * FROM cells WHERE i < 0',
  ...Object.fromEntries([1, 65, 2_048].map((n) => [`${n} rows`, `SELECT * FROM cells LIMIT ${n}`])),
  'all rows': 'SELECT * FROM cells',
  'filtered rows': 'SELECT * FROM cells WHERE i % 3 = 1 OR i BETWEEN 2040 AND 2060',
  'sorted rows': 'SELECT * FROM cells WHERE i < 700 ORDER BY hash(i)',
  'joined rows': 'SELECT c.* FROM range(3) r(n) LEFT JOIN cells c ON c.i = r.n * 1000 ORDER BY r.n, c.i',
  'repeated rows': 'SELECT c.* FROM range(40) r(n) JOIN (SELECT * FROM cells WHERE i IN (1, 70)) c ON true',
  'rows of two queries': 'SELECT * FROM cells WHERE i < 100 UNION ALL SELECT * FROM cells WHERE i > 2200',
  'unmatched rows': 'SELECT r.n, c.* FROM range(1800, 2500) r(n) LEFT JOIN cells c ON c.i = r.n AND c.i % 2 = 0',
  'largest values': 'SELECT i % 900 AS n, MAX(COLUMNS(* EXCLUDE (i))) FROM cells GROUP BY n ORDER BY n',
};

describe('cells of the embedded database, compared with the values of the driver', () => {
  let database: EmbeddedDatabase;
  before(async () => {
    database = await openTestDatabase();
    await database.write(async (connection) => {
      const columns = Object.entries(COLUMNS).map(
        ([name, value], index) => `CASE WHEN ${bits(index + 100)} % 5 <> 0 THEN ${value} END AS "${name}"`,
      );
      await connection.run(`CREATE TABLE cells AS SELECT i, ${columns.join(', ')} FROM range(${ROWS}) r(i)`);
    });
  });
  after(() => database.close());

  for (const [name, sql] of Object.entries(QUERIES)) {
    it(`are the same for ${name}`, async () => {
      const { expected, rows } = await database.write((connection) => readBoth(connection, sql));
      expect(rows.length).to.equal(expected.length);
      const wrong = rows.flatMap((row, index) =>
        row.flatMap((cell, column) => {
          const value = expected[index]?.[column];
          return isSame(cell, value) ? [] : [{ row: index, column, cell, value }];
        }),
      );
      expect(wrong.slice(0, 3)).to.deep.equal([]);
    });
  }
});

/** Whether a cell has this value. The driver returns the exact value of a FLOAT, and a cell is a shorter number with the same FLOAT. */
function isSame(cell: Cell | undefined, value: Cell | undefined): boolean {
  if (cell === value) return true;
  return (
    typeof cell === 'number' && typeof value === 'number' && Math.fround(value) === value && Math.fround(cell) === value
  );
}

async function readBoth(connection: DuckDBConnection, sql: string) {
  const read = await connection.runAndReadAll(sql);
  const types = read.columnTypes();
  const expected = read.getRows().map((row) => row.map((value, column) => cellOf(value, types[column])));
  return { expected, rows: await readRows(connection, sql) };
}

type Type = Parameters<typeof JsonDuckDBValueConverter>[1];

function cellOf(value: DuckDBValue, type: Type | undefined): Cell {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  const name = String(type);
  if (name === 'BLOB') return `0x${Buffer.from((value as { bytes: Uint8Array }).bytes).toString('hex')}`;
  if (/\[\]$|^STRUCT/.test(name)) {
    return JSON.stringify(JsonDuckDBValueConverter(value, type as Type, JsonDuckDBValueConverter));
  }
  const text = String(value);
  if (!/^(DATE|TIME)/.test(name)) return text;
  // MySQL only supports the years 1 to 9999.
  if (name !== 'TIME' && !/^\d{4}-\d\d-\d\d(?!.*BC)/.test(text)) return null;
  return text.replace(/\.\d+$/, (fraction) => (Number(fraction) === 0 ? '' : fraction.padEnd(7, '0')));
}
