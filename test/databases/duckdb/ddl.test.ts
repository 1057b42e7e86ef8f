import { expect } from 'chai';
import { translateDdl } from '../../../engine/sql/duckdb/translate.js';
import { UntranslatableSqlError } from '../../../engine/sql/reading/untranslatable-sql-error.js';
import { openTestDatabase } from './open-test-database.js';

describe('the translation of statements that create tables', () => {
  const TABLE = `CREATE TABLE IF NOT EXISTS things (
    id BIGINT UNSIGNED NOT NULL DEFAULT 0, flag TINYINT(1), made DATETIME(3) DEFAULT NULL, price DECIMAL(11, 8),
    name VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '' COMMENT 'shown',
    UNIQUE KEY u (name), KEY k (flag, name), PRIMARY KEY (id)
  ) ENGINE=InnoDB`;

  it('creates the table with its keys and indexes', () => {
    expect(translateDdl(TABLE)).to.deep.equal([
      `CREATE TABLE IF NOT EXISTS "things" (
  "id" UBIGINT NOT NULL DEFAULT 0,
  "flag" TINYINT,
  "made" TIMESTAMP DEFAULT NULL,
  "price" DECIMAL(11, 8),
  "name" VARCHAR NOT NULL DEFAULT '',
  UNIQUE ("name"),
  PRIMARY KEY ("id")
)`,
      'CREATE INDEX "things_k" ON "things" ("flag", "name")',
    ]);
  });

  it('omits the keys of a table if the choice says so', () => {
    const without = { keepKeys: (table: string) => !table.startsWith('thing') };
    expect(translateDdl(TABLE, without).join('\n')).not.to.match(/PRIMARY|UNIQUE|INDEX/);
    expect(translateDdl('CREATE TABLE things (id INT PRIMARY KEY)', without)).to.deep.equal([
      'CREATE TABLE "things" (\n  "id" INTEGER NOT NULL\n)',
    ]);
    expect(translateDdl('CREATE INDEX i ON things (a)', without)).to.deep.equal([]);
    expect(translateDdl('DROP TABLE t$x; -- gone')).to.deep.equal(['DROP TABLE "t$x"']);
  });

  it('changes and drops tables and indexes in DuckDB', async () => {
    const database = await openTestDatabase();
    await database.write(async (connection) => {
      for (const sql of [
        TABLE,
        'CREATE UNIQUE INDEX low ON things (name, id)',
        'ALTER TABLE things ADD COLUMN size INT NOT NULL DEFAULT 3',
        'INSERT',
        'DROP INDEX low ON things',
        'DROP INDEX k ON things',
        'ALTER TABLE things DROP COLUMN size',
        'CREATE TABLE strict (a INT NOT NULL DEFAULT 1, b VARCHAR(9) NOT NULL)',
        'ALTER TABLE strict MODIFY COLUMN a INT, MODIFY b VARCHAR(9)',
        'INSERT INTO strict DEFAULT VALUES',
      ]) {
        if (sql === 'INSERT') await connection.run("INSERT INTO things (id, name) VALUES (1, 'a')");
        else if (sql.startsWith('INSERT')) await connection.run(sql);
        else for (const statement of translateDdl(sql)) await connection.run(statement);
      }
    });
    const strict = await database.query({ sql: 'SELECT * FROM strict' }, [], { maxRows: 5, timeoutMs: 5_000 });
    expect(strict.rows).to.deep.equal([[null, null]]);
    const { rows } = await database.query({ sql: 'SELECT * FROM things' }, [], { maxRows: 5, timeoutMs: 5_000 });
    expect(rows).to.deep.equal([[1, null, null, null, 'a']]);
    await database.write(async (connection) => {
      for (const statement of translateDdl('DROP TABLE IF EXISTS things')) await connection.run(statement);
    });
    await database.close();
  });

  for (const [sql, construct] of [
    ['CREATE TABLE t (id BIGINT AUTO_INCREMENT PRIMARY KEY)', 'AUTO_INCREMENT'],
    ['CREATE TABLE t (a GEOMETRY)', 'The type'],
    ['CREATE TABLE t (a INT, FOREIGN KEY (a) REFERENCES u (a))', 'FOREIGNKEY'],
    ['CREATE TABLE t (a TEXT, FULLTEXT KEY (a))', 'FULLTEXT'],
    ['CREATE TABLE t AS SELECT 1', 'AS SELECT in CREATE TABLE'],
    ['CREATE INDEX i ON t ((LOWER(a)))', 'An index on an expression'],
    ['ALTER TABLE t MODIFY a INT NOT NULL', 'MODIFY COLUMN a INT NOT NULL in ALTER TABLE'],
    ['ALTER TABLE t CHANGE a b INT', 'in ALTER TABLE'],
    ['SELECT 1', 'SELECT'],
  ] as const) {
    it(`rejects ${sql}`, () => {
      expect(() => translateDdl(sql)).to.throw(UntranslatableSqlError, construct);
    });
  }
});
