import { expect } from 'chai';
import type { BoundValue, Cell } from '../../../engine/databases/interface/database.js';
import { parseMysqlUrl } from '../../../engine/databases/mysql/connection/address.js';
import { connectionOptions } from '../../../engine/databases/mysql/connection/connection-options.js';
import { type MysqlDatabase, openMysql } from '../../../engine/databases/mysql/database.js';
import { acquireLock, releaseLock } from '../../../engine/databases/mysql/named-lock.js';
import { WriteConnection } from '../../../engine/databases/mysql/write-connection.js';
import { useMysql } from '../../services/mysql.js';
import { IS_TIDB, SERVER } from '../../services/server.js';
import { useTidb } from '../../services/tidb.js';

type Case = readonly [value: BoundValue, cell: Cell];

const LARGE = 2n ** 53n + 1n;

/** Expressions on one row with 3 `stars`, and the expected cell for each bound value. */
const EXPRESSIONS: Readonly<Record<string, readonly Case[]>> = {
  ':p1': [
    [1, 1],
    [5.5, 5.5],
    [null, null],
    [7, 7],
    ['7', '7'],
    [LARGE, LARGE],
    [2n ** 63n, 2n ** 63n],
    [10n ** 20n, '100000000000000000000'],
  ],
  'COALESCE(:p1, 7)': [
    [1, 1],
    [5.5, 5.5],
    [null, 7],
    [7, 7],
    ['7', '7'],
    [LARGE, LARGE],
  ],
  'stars * :p1': [
    [1, 3],
    [5.5, 16.5],
    [null, null],
    [7, 21],
    ['7', 21],
    [LARGE, 3n * LARGE],
  ],
  'GREATEST(:p1, 5)': [
    [1, 5],
    [5.5, 5.5],
    [null, null],
    [LARGE, LARGE],
    [10n ** 20n, '100000000000000000000'],
  ],
  ":p1 = 'x'": [
    ['x', 1],
    ['x ', 0],
    ['X', 0],
    [null, null],
  ],
  // Both bound values are texts, but the first result is a number and the second one is a text.
  'UNIX_TIMESTAMP(:p1)': [
    ['2020-01-01', 1577836800],
    ['2020-01-01 00:00:00.5', '1577836800.5'],
  ],
};

/** Returns all ordered pairs of cases, including pairs of a case with itself. */
const pairsOf = (cases: readonly Case[]) => cases.flatMap((first) => cases.map((second) => [first, second] as const));

type Ask = (sql: string, values: readonly BoundValue[]) => Promise<readonly (readonly Cell[])[]>;

function testRepeatedStatements(server: () => string): void {
  let database: MysqlDatabase;
  let connections: readonly [WriteConnection, WriteConnection];
  const open = async () => WriteConnection.open(await connectionOptions(parseMysqlUrl(server())));

  before(async () => {
    database = await openMysql({ url: server(), connections: 1, allowWritingAccount: true });
    connections = [await open(), await open()];
  });
  after(async () => {
    for (const connection of connections ?? []) connection.destroy();
    await database?.close();
  });

  it('are checked for their names without being run', async () => {
    const describe = (sql: string) => database.describe?.(database.prepare(sql), { timeoutMs: 600_000 });
    const described = await describe('SELECT 1 AS a, t.* FROM (SELECT 2 AS b, SLEEP(:p1) AS c) t');
    expect(described?.map(({ name }) => name)).to.deep.equal(['a', 'b', 'c']);
    const wrong = { 'SELECT x FROM no_such_table': 'no_such_table', 'SELECT t.x FROM (SELECT 1 AS a) t': '"t.x"' };
    for (const [sql, name] of Object.entries(wrong)) {
      const error = await describe(sql)?.catch((reason: unknown) => reason);
      expect((error as Error).message).to.include(name);
    }
  });

  const askers: Readonly<Record<string, Ask>> = {
    'a connection that reads': async (sql, values) =>
      (await database.query({ sql }, values, { maxRows: 10, timeoutMs: 10_000 })).rows,
    'a connection that writes': (sql, values) => connections[0].rows(sql, values),
  };
  for (const [connection, ask] of Object.entries(askers)) {
    for (const [expression, cases] of Object.entries(EXPRESSIONS)) {
      it(`return ${expression} for each value, independent of the value before, on ${connection}`, async () => {
        const answers: unknown[] = [];
        const expected: unknown[] = [];
        for (const [index, pair] of pairsOf(cases).entries()) {
          // The SQL text of each pair is different, so that no earlier pair has used the same prepared statement.
          const sql = `SELECT ${expression} AS pair_${index} FROM (SELECT 3 AS stars) r`;
          for (const [value, cell] of pair) {
            answers.push([pair[0][0], value, await ask(sql, [value])]);
            expected.push([pair[0][0], value, [[cell]]]);
          }
        }
        expect(answers).to.deep.equal(expected);
      });
    }
  }

  it('acquire a lock once and release it once, with any name', async () => {
    const lock = `a 'quoted' \\ \u{1f512} name ? :p1 ${process.pid}`;
    const [one, other] = connections;
    expect(await acquireLock(one, lock, 0)).to.equal(undefined);
    expect(await acquireLock(one, lock, 0)).to.equal(undefined);
    await releaseLock(one, lock);
    expect(await acquireLock(other, lock, 0)).to.match(/^(the|another) process/);
    await one.run(`SELECT RELEASE_LOCK(${one.literal(lock)})`);
    expect(await acquireLock(other, lock, 0)).to.equal(undefined);
    await releaseLock(other, lock);
  });
}

describe(`repeated statements on ${SERVER}`, () => {
  const server = useMysql();
  describe('in its own database', () => testRepeatedStatements(() => server.url));
});

(IS_TIDB ? describe.skip : describe)('statements that are repeated, on TiDB', () => {
  const server = useTidb();
  describe('on its own server', () => testRepeatedStatements(() => `${server.url}/mysql`));
});
