import { expect } from 'chai';
import { listFunctions } from '../../engine/sql/duckdb/translate.js';
import { guardSql } from '../../engine/sql/guard/guard-sql.js';
import { SqlRejectedError } from '../../engine/sql/guard/rejection.js';
import { rowFunctionNames } from '../../engine/sql/guard/write-aggregate.js';
import { Playground } from '../../explorer/playground/playground.js';
import { SqlFailedError } from '../../explorer/playground/query-failure.js';
import { openServerPlayground } from '../../server/databases/open-playground.js';
import { requirePublicTables } from '../../server/databases/open-warehouse.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { PUBLIC_TABLES } from '../../warehouse/public-tables.js';
import { TABLE_REFERENCE } from '../../warehouse/table-reference.js';
import { copyEmptyTables } from '../service/demo-data.js';
import { execute, useMysql } from '../services/mysql.js';
import { SERVER } from '../services/server.js';
import { testWarehouse } from '../warehouse/test-warehouse.js';
import { createAccount } from './two-playgrounds.js';

/** Lists of valid and invalid arguments. A call with n arguments uses the first n values of a list. */
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

/** The number of lists of arguments. */
export const LISTS = ARGUMENTS.length;

const ROWS =
  "INSERT INTO collections (id, name, public) VALUES (1, 'Databases', 1), (2, 'Ünïcode 🦊', 1), (3, '[(', 1)";

/**
 * Defines the tests of functions. `isTested` returns whether a test calls the function at a place of its form with the list of arguments at
 * a place.
 */
export function testFunctions(isTested: (place: number, list: number) => boolean): void {
  describe('the playground: functions with valid and invalid arguments', () => {
    const server = useMysql();
    let playgrounds: readonly Named[] = [];
    const closing: (() => Promise<void>)[] = [];
    before(async () => {
      const warehouse = await testWarehouse();
      closing.push(() => warehouse.close());
      await warehouse.store.write((tables) => tables.run(ROWS));
      await copyEmptyTables(server.url);
      await execute(server.url, ROWS);
      const account = await createAccount(server);
      const settings = { DATABASE_URL: server.url, PLAYGROUND_DATABASE_URL: account.url };
      const served = await openServerPlayground(readSettings(settings), requirePublicTables);
      closing.push(async () => {
        await served.close();
        await account.drop();
      });
      playgrounds = [
        ['DuckDB', new Playground(warehouse.database, TABLE_REFERENCE, MINUTE_MS)],
        [SERVER, new Playground(served, TABLE_REFERENCE, MINUTE_MS)],
      ];
    });
    after(async () => {
      for (const close of closing) await close();
    });

    const { aggregates, windows } = rowFunctionNames();
    /** The forms of calls, each with the functions that are called in this form. A query only contains calls of one form. */
    const forms: readonly (readonly [form: string, (call: string) => string, functions: readonly string[]])[] = [
      ['scalars', (call) => call, [...listFunctions(), 'CONVERT', 'IFNULL', 'LENGTH', 'LOCATE', 'TRIM']],
      ['aggregates', (call) => call, [...aggregates, ...windows]],
      ['window functions', (call) => `${call} OVER (ORDER BY id)`, [...aggregates, ...windows]],
      ['window functions without an order', (call) => `${call} OVER ()`, windows],
    ];

    for (const [form, write, functions] of forms) {
      for (const [number, list] of ARGUMENTS.entries()) {
        it(`${form} return a result or a reason on both databases for (${list.join(', ')})`, async () => {
          const called = functions.filter((_, place) => isTested(place, number));
          const calls = called.flatMap((name) => callsOf(name, list).map(write)).filter(isNew);
          for (const playground of playgrounds) await expectEach(playground, calls);
        });
      }
    }
  });
}

const MINUTE_MS = 60_000;

/** Returns SQL calls of a function with 0 to 4 arguments. A call with n arguments has the first n values of the list. */
function callsOf(name: string, list: readonly string[]): string[] {
  return [0, 1, 2, 3, 4].map((count) => `${name}(${list.slice(0, count).join(', ')})`);
}

type Named = readonly [name: string, playground: Playground];

/**
 * Runs many calls in one query. If the query fails, splits the calls, until each failing call is in a separate query that shows its reason.
 */
async function expectEach([name, playground]: Named, calls: readonly string[]): Promise<void> {
  let size = 8;
  for (let place = 0; place < calls.length; ) {
    const sql = selectOf(calls.slice(place, place + size));
    const error = await playground.run(sql).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (error !== undefined) expectReason(error, `${sql} on ${name}`);
    if (error === undefined || size === 1) place += size;
    size = error === undefined ? Math.min(2 * size, MAX_CALLS) : Math.ceil(size / 4);
  }
}

/** The number of calls per query. The guard allows 100 columns. */
const MAX_CALLS = 64;

/** Whether the guard accepts a call, and writes a text for it that no earlier call with another function name has produced. */
function isNew(call: string): boolean {
  const written = writeIfAllowed(call);
  const isWritten = written !== undefined && !known.has(written);
  if (isWritten) known.add(written);
  return isWritten;
}

const known = new Set<string>();

/** Returns the text that the guard writes for a call. Returns undefined if the guard rejects the call. */
function writeIfAllowed(call: string): string | undefined {
  try {
    return guardSql(selectOf([call]), PUBLIC_TABLES, []).sql;
  } catch (error) {
    expectReason(error, call);
    return undefined;
  }
}

/** Expects that an error has a reason for the user. Any other error would be a failure of the service. */
function expectReason(error: unknown, subject: string): void {
  const isReason = error instanceof SqlRejectedError || error instanceof SqlFailedError;
  expect(isReason, `${subject}: ${error}`).to.equal(true);
  expect((error as Error).message, subject).to.match(/[a-z]{2,} .*[a-z]/);
}

function selectOf(calls: readonly string[]): string {
  return `SELECT ${calls.map((call, index) => `${call} AS x${index}`).join(', ')} FROM collections`;
}
