import { expect } from 'chai';
import type { EmbeddedDatabase } from '../../../databases/duckdb/embedded.js';
import { translateDdl } from '../../../databases/duckdb/translate.js';
import { opened } from './opened.js';

type Shown = string | null;

/** Checks a table of expressions: the text of one or several with commas between, then what each of them gives. */
export function evaluates(title: string, rows: readonly (readonly [string, ...Shown[]])[]): void {
  describe(title, () => {
    const database = shared([]);
    for (const [expression, ...expected] of rows) {
      it(expression, async () => {
        expect(await shown(database(), `SELECT ${expression}`)).to.deep.equal([expected]);
      });
    }
  });
}

/** Checks a table of queries over `visits` and `cities`: the text, then the rows in their order, ` | ` between cells. */
export function answers(queries: readonly (readonly [string, readonly string[]])[]): void {
  const database = shared([VISITS, CITIES]);
  for (const [sql, expected] of queries) {
    it(sql, async () => {
      const rows = await shown(database(), sql);
      expect(rows.map((row) => row.map((cell) => cell ?? 'NULL').join(' | '))).to.deep.equal(expected);
    });
  }
}

function shared(tables: readonly string[]): () => EmbeddedDatabase {
  let database: EmbeddedDatabase | undefined;
  before(async () => {
    const fresh = await opened();
    database = fresh;
    if (tables.length === 0) return;
    await fresh.write(async (connection) => {
      for (const table of tables) for (const statement of translateDdl(table)) await connection.run(statement);
      await connection.run(ROWS);
    });
  });
  after(() => database?.close());
  return () => database as EmbeddedDatabase;
}

async function shown(database: EmbeddedDatabase, sql: string): Promise<readonly (readonly Shown[])[]> {
  const { rows } = await database.query(database.prepare(sql), [], { maxRows: 100, timeoutMs: 10_000 });
  return rows.map((row) => row.map((cell) => (cell === null ? null : String(cell))));
}

const VISITS = `CREATE TABLE visits (
  id INT NOT NULL PRIMARY KEY, person VARCHAR(20), city VARCHAR(20), day DATE, at DATETIME, pages INT,
  price DECIMAL(10,2), rate DOUBLE
)`;

const CITIES = 'CREATE TABLE cities (name VARCHAR(20) NOT NULL PRIMARY KEY, country CHAR(2), people BIGINT)';

const ROWS = `
  INSERT INTO visits VALUES
    (1, 'Ann', 'Rome', '2020-01-05', '2020-01-05 10:00:00', 3, 1.50, 0.1),
    (2, 'ann', 'rome', '2020-01-06', '2020-01-06 23:59:59', 5, 2.25, 0.2),
    (3, 'Bob', 'Oslo', '2020-01-31', '2020-01-31 00:00:00', NULL, NULL, 0.3),
    (4, 'bob', NULL, '2020-02-29', '2020-02-29 12:30:00', 7, 10.00, NULL),
    (5, NULL, 'Oslo', '2020-03-01', '2020-03-01 08:00:00', 1, 0.99, 2),
    (6, 'Cy', 'Lima', NULL, NULL, 0, 0, 1.5);
  INSERT INTO cities VALUES ('Rome', 'IT', 2800000), ('Oslo', 'NO', 700000), ('Bern', 'CH', 130000)`;
