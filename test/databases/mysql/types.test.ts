import { expect } from 'chai';
import { exactCollation } from '../../../engine/databases/mysql/connection/flavor.js';
import { type MysqlDatabase, openMysql } from '../../../engine/databases/mysql/database.js';
import { execute, useMysql } from '../../services/mysql.js';

const SOON = { maxRows: 100, timeoutMs: 600_000 };

/** A column type, the stored value, the expected cell, and the name of the type in the engine. */
const CASES: readonly (readonly [type: string, value: string, cell: unknown, name: string])[] = [
  ['TINYINT', '-128', -128, 'TINYINT'],
  ['BOOLEAN', 'TRUE', 1, 'TINYINT'],
  ['SMALLINT UNSIGNED', '65535', 65535, 'SMALLINT'],
  ['MEDIUMINT', '-8388608', -8388608, 'MEDIUMINT'],
  ['INT UNSIGNED', '4294967295', 4294967295, 'INT'],
  ['BIGINT', '9007199254740991', 9007199254740991, 'BIGINT'],
  ['BIGINT', '-9007199254740993', -9007199254740993n, 'BIGINT'],
  ['BIGINT UNSIGNED', '18446744073709551615', 18446744073709551615n, 'UNSIGNED BIGINT'],
  [
    'DECIMAL(65,30)',
    '12345678901234567890.123456789012345678901234567890',
    '12345678901234567890.123456789012345678901234567890',
    'DECIMAL',
  ],
  ['DECIMAL(6,3)', '-0.050', '-0.050', 'DECIMAL'],
  ['FLOAT', '0.1', 0.1, 'FLOAT'],
  ['FLOAT', '16777216', 16777216, 'FLOAT'],
  ['DOUBLE', '0.1', 0.1, 'DOUBLE'],
  ['DOUBLE', '1.7976931348623157e308', 1.7976931348623157e308, 'DOUBLE'],
  ['DATE', "'2020-02-29'", '2020-02-29', 'DATE'],
  ['DATE', "'0000-00-00'", '0000-00-00', 'DATE'],
  ['DATE', "'2020-00-00'", '2020-00-00', 'DATE'],
  ['DATE', "'9999-12-31'", '9999-12-31', 'DATE'],
  ['DATETIME', "'2020-01-02 00:00:00'", '2020-01-02 00:00:00', 'DATETIME'],
  ['DATETIME', "'0000-00-00'", '0000-00-00 00:00:00', 'DATETIME'],
  ['DATETIME(6)', "'1969-12-31 23:59:59.000001'", '1969-12-31 23:59:59.000001', 'DATETIME'],
  ['DATETIME(3)', "'1969-12-31 23:59:59.5'", '1969-12-31 23:59:59.500000', 'DATETIME'],
  ['DATETIME(6)', "'2020-01-02 03:04:05'", '2020-01-02 03:04:05', 'DATETIME'],
  ['TIMESTAMP NULL', "'2020-07-01 12:00:00'", '2020-07-01 12:00:00', 'TIMESTAMP'],
  ['TIME', "'-838:59:59'", '-838:59:59', 'TIME'],
  ['TIME(6)', "'01:02:03.25'", '01:02:03.250000', 'TIME'],
  ['TIME', "'00:00:00'", '00:00:00', 'TIME'],
  ['YEAR', '2026', 2026, 'YEAR'],
  ['BIT(1)', "b'1'", 1, 'BIT'],
  ['BIT(64)', "b'1111111111111111111111111111111111111111111111111111111111111111'", 18446744073709551615n, 'BIT'],
  ['CHAR(10)', "'naïve'", 'naïve', 'CHAR'],
  [
    'VARCHAR(40)',
    "'\u{1f600} \u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}'",
    '\u{1f600} \u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}',
    'VARCHAR',
  ],
  ['TINYTEXT', "'a'", 'a', 'TINYTEXT'],
  ['TEXT', "REPEAT('é', 30000)", 'é'.repeat(30000), 'TEXT'],
  ['MEDIUMTEXT', "'a'", 'a', 'MEDIUMTEXT'],
  ['LONGTEXT', "REPEAT('\u{1f600}', 20000)", '\u{1f600}'.repeat(20000), 'LONGTEXT'],
  ['BINARY(3)', "x'610062'", '0x610062', 'BINARY'],
  ['VARBINARY(3)', "x'ff00'", '0xff00', 'VARBINARY'],
  ['BLOB', "x'00ff'", '0x00ff', 'BLOB'],
  ['LONGBLOB', "''", '0x', 'LONGBLOB'],
  ["ENUM('a','é')", "'é'", 'é', 'ENUM'],
  ["SET('a','b')", "'a,b'", 'a,b', 'SET'],
  ['JSON', `'{"a": [1, 9007199254740993, "\u{1f600}"]}'`, '{"a": [1, 9007199254740993, "\u{1f600}"]}', 'JSON'],
];

describe('cells of a MySQL-protocol database', () => {
  const server = useMysql();
  let database: MysqlDatabase;

  before(async () => {
    const columns = CASES.map(([type], index) => `c${index} ${type}`);
    await execute(server.url, "SET sql_mode = '', time_zone = '+00:00'");
    await execute(server.url, `CREATE TABLE t (${columns.join(', ')}) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
    const connection = server.url;
    for (const [index, [, value]] of CASES.entries()) {
      await execute(
        connection,
        "SET sql_mode = '', time_zone = '+00:00'",
        `INSERT INTO t (c${index}) VALUES (${value})`,
      );
    }
    database = await openMysql({ url: server.url, allowWritingAccount: true });
  });
  after(() => database?.close());

  for (const [index, [type, value, cell, name]] of CASES.entries()) {
    it(`keep ${value.length > 60 ? `${value.slice(0, 20)} …` : value} of a ${type}`, async () => {
      const sql = `SELECT c${index} AS c FROM t WHERE c${index} IS NOT NULL UNION ALL SELECT NULL AS c FROM t LIMIT 2`;
      const direct = await database.query(
        { sql: `SELECT c${index} AS c FROM t WHERE c${index} IS NOT NULL` },
        [],
        SOON,
      );
      expect([direct.rows, direct.columns]).to.deep.equal([[[cell]], [{ name: 'c', type: name }]]);
      const { rows } = await database.query({ sql }, [], SOON);
      expect(rows[1]).to.deep.equal([null]);
    });
  }

  it('are text and not bytes if an expression returns text', async () => {
    const { rows, columns } = await database.query(
      {
        sql: `SELECT CONCAT(1, 2) AS a, GROUP_CONCAT(seq) AS b, DATE_FORMAT('2020-01-02', '%Y-%m') AS c, MD5('x') AS d,
          LPAD(7, 3, '0') AS e, COALESCE(NULL, 'é') AS f, CAST(1.50 AS CHAR) AS g, HEX(255) AS h, IF(1, 2, 'x') AS i,
          SUM(seq) AS j, AVG(seq) AS k, COUNT(*) AS l, 7 / 2 AS m, MAX('\u{1f600}') AS n, 1 = 1 AS o, CAST('x' AS BINARY) AS p
          FROM (SELECT 1 AS seq UNION ALL SELECT 2) t`,
      },
      [],
      SOON,
    );
    expect(rows).to.deep.equal([
      [
        '12',
        '1,2',
        '2020-01',
        '9dd4e461268c8034f5c8564e155c67a6',
        '007',
        'é',
        '1.50',
        'FF',
        '2',
        '3',
        '1.5000',
        2,
        '3.5000',
        '\u{1f600}',
        1,
        '0x78',
      ],
    ]);
    expect(columns.map(({ type }) => type).slice(9, 13)).to.deep.equal(['DECIMAL', 'DECIMAL', 'BIGINT', 'DECIMAL']);
  });

  it('do not depend on the settings of the server', async () => {
    const { rows } = await database.query(
      {
        sql: `SELECT @@SESSION.time_zone AS a, @@SESSION.collation_connection AS b, @@SESSION.div_precision_increment AS c,
          'a' = 'A' AS d, 'é' = 'e' AS e, 'a' = 'a ' AS f, LENGTH(GROUP_CONCAT(REPEAT('x', 1000))) AS g, UNIX_TIMESTAMP('1970-01-02') AS h
          FROM (${Array.from({ length: 50 }, () => 'SELECT 1').join(' UNION ALL ')}) t`,
      },
      [],
      SOON,
    );
    expect(rows).to.deep.equal([['+00:00', exactCollation(database.name), 4, 0, 0, 0, 50049, 86400]]);
  });
});
