import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { openMysql } from '../../../engine/databases/mysql/database.js';
import { toEnvelope } from '../../../engine/http/envelopes/envelope.js';
import { createEngine, type Database, type Endpoint, type Engine } from '../../../engine/index.js';
import { translateDdl } from '../../../engine/sql/duckdb/translate.js';
import { endpointOf } from '../../engine/fixtures.js';
import { createDatabase, execute, useMysql, withDatabase } from '../../services/mysql.js';
import { useTidb } from '../../services/tidb.js';
import { openTestDatabase } from '../duckdb/open-test-database.js';
import { FOREIGN_QUERIES } from './queries.js';
import { ROWS, TABLES } from './tables.js';

const NOW = new Date('2024-05-03T12:34:56Z');

describe('queries of other authors over GitHub events, as definitions', () => {
  describe('on DuckDB', () => {
    testAllQueries(async () => {
      const database = await openTestDatabase();
      await database.write(async (connection) => {
        for (const table of TABLES) for (const statement of translateDdl(table)) await connection.run(statement);
        for (const rows of ROWS) await connection.run(rows);
      });
      return database;
    });
  });

  describe('on MariaDB', () => {
    const server = useMysql();
    testAllQueries(() => openServer(server.url));
  });

  describe('on TiDB', () => {
    const server = useTidb();
    testAllQueries(async () => {
      const name = `foreign_${randomBytes(6).toString('hex')}`;
      await createDatabase(server.url, name);
      return openServer(withDatabase(server.url, name));
    });
  });
});

async function openServer(url: string): Promise<Database> {
  await execute(url, ...TABLES, ...ROWS);
  return openMysql({ url, allowWritingAccount: true, connections: 1 });
}

function testAllQueries(open: () => Promise<Database>): void {
  let database: Database;
  before(async () => {
    database = await open();
  });
  after(() => database?.close());

  for (const { sql, columns, rows } of FOREIGN_QUERIES) {
    it(sql.replaceAll(/\s+/g, ' '), async () => {
      expect(await answerOf(database, sql, columns.split(' '))).to.deep.equal(rows);
    });
  }
}

/** The databases answer the same definitions, so each is loaded once. */
function loadOnce(yaml: string): Promise<Endpoint> {
  const known = endpoints.get(yaml) ?? endpointOf(yaml);
  endpoints.set(yaml, known);
  return known;
}

const endpoints = new Map<string, Promise<Endpoint>>();

/** Returns the cells of the `/v1` envelope, joined with ` | `. */
async function answerOf(database: Database, sql: string, columns: readonly string[]): Promise<readonly string[]> {
  const endpoint = await loadOnce(definition(sql, columns));
  const engine: Engine = createEngine({
    endpoints: [endpoint],
    database,
    clock: () => NOW,
    stopwatch: () => 0,
  });
  const { data } = toEnvelope(await engine.run(endpoint, { path: {}, query: {} }), NOW);
  return data.rows.map((row) => columns.map((column) => String(row[column])).join(' | '));
}

function definition(sql: string, columns: readonly string[]): string {
  return JSON.stringify({
    name: 'foreign',
    summary: 'A query of another author',
    columns: columns.map((col) => ({ col, data_type: 'VARCHAR', nullable: true, description: 'A cell' })),
    sql,
  });
}
