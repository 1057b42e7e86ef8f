import { expect } from 'chai';
import { listFunctions } from '../../sql/duckdb/translate.js';
import { rowFunctionNames } from '../../sql/guard/write-aggregate.js';
import { useMysql } from '../services/mysql.js';
import { askPlayground, startTwoPlaygrounds, type TwoPlaygrounds } from './two-playgrounds.js';

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

describe('the playground: functions with valid and invalid arguments', () => {
  const server = useMysql();
  let two: TwoPlaygrounds;
  before(async () => {
    two = await startTwoPlaygrounds(server, 100);
  });
  after(() => two?.close());

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
    const wrongCounts = new Set<number>();
    for (const args of createLists()) {
      if (wrongCounts.has(args.length)) continue;
      const reason = `${name} with ${args.length} argument`;
      const areWrong: boolean[] = [];
      for (const expression of expressionsOf(`${name}(${args.join(', ')})`))
        areWrong.push(await expectReason(expression, reason));
      if (areWrong.every((isWrong) => isWrong)) wrongCounts.add(args.length);
    }
  }

  /** Returns whether both databases reject the call, the embedded one for this reason. */
  async function expectReason(expression: string, reason: string): Promise<boolean> {
    const sql = `SELECT ${expression} AS x FROM collections`;
    const [embedded, served] = await Promise.all([askPlayground(two.embedded, sql), askPlayground(two.served, sql)]);
    for (const [database, { status, body }] of Object.entries({ DuckDB: embedded, MariaDB: served })) {
      if (status === 200) continue;
      expect([status, body.code], `${sql} on ${database}: ${body.detail}`).to.be.deep.oneOf([
        [422, 'sql_refused'],
        [422, 'sql_failed'],
      ]);
      expect(body.detail, `${sql} on ${database}`).to.match(/[a-z]{2,} .*[a-z]/);
    }
    return served.status !== 200 && String(embedded.body.detail).includes(reason);
  }
});

/** Creates lists of zero to four arguments. */
function createLists(): (readonly string[])[] {
  const lists = ARGUMENTS.flatMap((args) => args.map((_, last) => args.slice(0, last + 1)));
  return [[], ...new Map(lists.map((list) => [list.join(', '), list])).values()];
}
