import { expect } from 'chai';
import { Playground } from '../../explorer/playground/playground.js';
import { SqlFailedError } from '../../explorer/playground/query-failure.js';
import { openServerPlayground } from '../../server/playground/open-playground.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { listFunctions } from '../../sql/duckdb/translate.js';
import { SqlRejectedError } from '../../sql/guard/rejection.js';
import { rowFunctionNames } from '../../sql/guard/write-aggregate.js';
import { copyEmptyTables } from '../service/demo-data.js';
import { execute, useMysql } from '../services/mysql.js';
import { SERVER } from '../services/server.js';
import { testWarehouse } from '../warehouse/test-warehouse.js';
import { createAccount } from './two-playgrounds.js';

/**
 * Lists of valid and invalid arguments. A call with n arguments uses the first n elements of a list. If both databases
 * reject n arguments of a function, only the first list is used.
 */
const ARGUMENTS: readonly (readonly string[])[] = [
  ['1', '2', '3', '4'],
  ["'a'", '1', "'b'", '2'],
  ["'['", "'('", "'*'", "'?'"],
  ['NULL', 'NULL', 'NULL', 'NULL'],
  ['DAY', "'2024-02-30'", 'NULL', '99999999999999999999'],
  ["DATE '2024-02-29'", '-1', '1.5e300', "''"],
  ['id', 'name', 'id', 'name'],
  ["DATE '2024-02-29'", 'INTERVAL 1 DAY', '9223372036854775807', "'%Y'"],
  ['\'{"a": [1]}\'', "'$.a'", "'$['", "'$.*'"],
  ['(SELECT MAX(id) FROM collections)', '(1, 2)', '*', 'id'],
];

const ROWS =
  "INSERT INTO collections (id, name, public) VALUES (1, 'Databases', 1), (2, 'Ünïcode 🦊', 1), (3, '[(', 1)";

describe('the playground: functions with valid and invalid arguments', () => {
  const server = useMysql();
  let playgrounds: readonly (readonly [name: string, playground: Playground])[] = [];
  const closing: (() => Promise<void>)[] = [];
  before(async () => {
    const warehouse = await testWarehouse();
    closing.push(() => warehouse.close());
    await warehouse.store.write((tables) => tables.run(ROWS));
    await copyEmptyTables(server.url);
    await execute(server.url, ROWS);
    const account = await createAccount(server);
    const settings = { DATABASE_URL: server.url, PLAYGROUND_DATABASE_URL: account.url };
    const served = await openServerPlayground(readSettings(settings));
    closing.push(async () => {
      await served.close();
      await account.drop();
    });
    playgrounds = [
      ['DuckDB', new Playground(warehouse.database, MINUTE_MS)],
      [SERVER, new Playground(served, MINUTE_MS)],
    ];
  });
  after(async () => {
    for (const close of closing) await close();
  });

  const { aggregates, windows } = rowFunctionNames();
  const scalars = [...listFunctions(), 'CONVERT', 'IFNULL', 'LENGTH', 'LOCATE', 'TRIM'];
  for (const name of scalars) {
    it(`${name} returns a result or a reason on both databases`, () => expectReasons(name, (call) => [call]));
  }
  for (const name of aggregates) {
    it(`the aggregate ${name} returns a result or a reason on both databases`, () =>
      expectReasons(name, (call) => [call, `${call} OVER (ORDER BY id)`]));
  }
  for (const name of windows) {
    it(`the window function ${name} returns a result or a reason on both databases`, () =>
      expectReasons(name, (call) => [`${call} OVER (ORDER BY id)`, `${call} OVER ()`, call]));
  }

  async function expectReasons(name: string, expressionsOf: (call: string) => readonly string[]): Promise<void> {
    const callsOf = (list: readonly string[]) => expressionsOf(`${name}(${list.join(', ')})`);
    const others: string[][] = expressionsOf('').map(() => []);
    for (const [first, ...lists] of listsByLength()) {
      if (first === undefined) continue;
      let isWrong = true;
      for (const call of callsOf(first)) {
        const [embedded, served] = await Promise.all(playgrounds.map((one) => reasonOf(one, [call])));
        const reason = `${name} with ${first.length} argument`;
        isWrong &&= served !== undefined && embedded?.includes(reason) === true;
      }
      if (isWrong) continue;
      for (const list of lists) for (const [index, call] of callsOf(list).entries()) others[index]?.push(call);
    }
    await Promise.all(playgrounds.flatMap((one) => others.map((calls) => expectEach(one, calls))));
  }
});

const MINUTE_MS = 60_000;

/** Runs the calls in as few queries as possible: a query that fails is divided until each failing call has its reason. */
async function expectEach(
  playground: readonly [name: string, playground: Playground],
  calls: readonly string[],
): Promise<void> {
  if (calls.length === 0 || (await reasonOf(playground, calls)) === undefined || calls.length === 1) return;
  const half = Math.ceil(calls.length / 2);
  await expectEach(playground, calls.slice(0, half));
  await expectEach(playground, calls.slice(half));
}

/** Returns the reason for which the playground does not run a SELECT of these calls. Fails if the author of the SQL gets none. */
async function reasonOf(
  [database, playground]: readonly [name: string, playground: Playground],
  calls: readonly string[],
): Promise<string | undefined> {
  const sql = `SELECT ${calls.map((call, index) => `${call} AS x${index}`).join(', ')} FROM collections`;
  const error = await playground.run(sql).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (error === undefined) return undefined;
  const isReason = error instanceof SqlRejectedError || error instanceof SqlFailedError;
  expect(isReason, `${sql} on ${database}: ${error}`).to.equal(true);
  const { message } = error as Error;
  expect(message, `${sql} on ${database}`).to.match(/[a-z]{2,} .*[a-z]/);
  return message;
}

/** Creates the lists of arguments, grouped by their length from zero to four. */
function listsByLength(): (readonly string[])[][] {
  return [0, 1, 2, 3, 4].map((length) => {
    const lists = ARGUMENTS.map((args) => args.slice(0, length));
    return [...new Map(lists.map((list) => [list.join(', '), list])).values()];
  });
}
