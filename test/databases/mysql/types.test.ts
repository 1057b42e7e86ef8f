import { expect } from 'chai';
import { Deadline } from '../../../engine/databases/interface/deadline.js';
import { exactCollation } from '../../../engine/databases/mysql/connection/flavor.js';
import { type MysqlDatabase, openMysql } from '../../../engine/databases/mysql/database.js';
import { execute, useMysql } from '../../services/mysql.js';
import { itExceptOnTidb } from '../../services/server.js';

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
      // A UNION of a BIT column can only be read from a derived table.
      const { rows } = await database.query({ sql: name === 'BIT' ? `SELECT * FROM (${sql}) u` : sql }, [], SOON);
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

  itExceptOnTidb('all have one form', 'are rejected if they are calculated from a BIT column', async () => {
    await execute(
      server.url,
      'CREATE TABLE bits (id INT PRIMARY KEY, b BIT(8))',
      "INSERT INTO bits VALUES (1, b'110101')",
    );
    const ask = (sql: string) =>
      database.query({ sql }, [], SOON).then(
        ({ rows }) => rows,
        (error: Error) => error.message,
      );
    const message = 'the column "m" is calculated from a BIT column: write CAST(x AS UNSIGNED) around the BIT column';
    expect(await ask('SELECT b FROM bits')).to.deep.equal([[53]]);
    expect(await ask('SELECT MAX(b) AS m FROM bits')).to.equal(message);
    expect(await ask('SELECT CAST(MAX(b) AS UNSIGNED) AS m, MAX(b + 0) AS n FROM bits')).to.deep.equal([[53, 53]]);
    const streamed = database.stream?.({ sql: 'SELECT MAX(b) AS m FROM bits' }, [], {
      ...{ maxRows: 10, deadline: new Deadline(SOON), receive: { columns: () => {}, rows: () => undefined } },
    });
    expect(await streamed?.catch((error: Error) => error.message)).to.equal(message);
    const described = database.describe?.({ sql: 'SELECT MAX(b) AS m FROM bits' }, { timeoutMs: 600_000 });
    expect(await described?.catch((error: Error) => error.message)).to.equal(message);
    expect(await ask('SELECT 1')).to.deep.equal([[1]]);
  });
});

describe('texts of a MySQL-protocol database', () => {
  const server = useMysql();
  let database: MysqlDatabase;
  before(async () => {
    await execute(
      server.url,
      `CREATE TABLE towns (id INT PRIMARY KEY, code CHAR(3) CHARACTER SET ascii, name VARCHAR(20) CHARACTER SET latin1,
        alias VARCHAR(20) CHARACTER SET utf8mb3, label VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci,
        title VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci)`,
      "INSERT INTO towns VALUES (1, 'ABC', 'Köln', 'Łódź', '東京', '東京'), (2, NULL, NULL, NULL, NULL, NULL)",
    );
    database = await openMysql({ url: server.url, allowWritingAccount: true });
  });
  after(() => database?.close());
  const ask = async (sql: string, ...values: readonly string[]) =>
    database.query(database.prepare(sql), values, SOON).then(
      ({ rows }) => rows,
      (error: Error) => error.message,
    );

  it('are compared with every bound text, also with characters that the column cannot contain', async () => {
    for (const text of ['東京', '🦊', 'é', "' OR 1 = 1 -- ✓"]) {
      const sql = 'SELECT id FROM towns WHERE code = :p1 OR name = :p1 OR alias LIKE CONCAT(:p1, :p1)';
      expect(await ask(sql, text), text).to.deep.equal([]);
    }
    expect(await ask('SELECT id FROM towns WHERE name IN (:p1, :p2)', '🦊', 'Köln')).to.deep.equal([[1]]);
    // The other text is still compared by the collation of its column, which ignores case.
    expect(await ask('SELECT id FROM towns WHERE code = :p1 OR name = :p2', 'abc', '🦊')).to.deep.equal([[1]]);
    expect(await ask('SELECT COALESCE(code, :p1) FROM towns ORDER BY id', '東京')).to.deep.equal([['ABC'], ['東京']]);
    expect(await ask('SELECT id FROM towns WHERE LOWER(label) = LOWER(:p1)', '東京')).to.deep.equal([[1]]);
  });

  it('have a clear error if their collations differ', async () => {
    const message =
      'texts with different collations or character sets are combined: write CAST(x AS CHAR) around each column';
    for (const sql of [
      'SELECT id FROM towns WHERE label = title',
      'SELECT label FROM towns UNION SELECT title FROM towns',
    ]) {
      expect(await ask(sql), sql).to.equal(message);
    }
    expect(await ask('SELECT id FROM towns WHERE CAST(label AS CHAR) = CAST(title AS CHAR)')).to.deep.equal([[1]]);
  });
});
