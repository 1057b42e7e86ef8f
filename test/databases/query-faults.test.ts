import { expect } from 'chai';
import { onEveryDatabase } from './dialect/every-database.js';

/** Mistakes in queries. Every database reports them with the same message. */
const FAULTS: readonly (readonly [sql: string, message: string])[] = [
  ['SELECT id FROM nothing', 'the table "nothing" does not exist'],
  ['SELECT nothing FROM visits', 'unknown column "nothing"'],
  ['SELECT v.nothing FROM visits v', 'unknown column "v.nothing"'],
  ['SELECT id FROM visits a JOIN visits b ON a.id = b.id', 'the column "id" is ambiguous: write table.id'],
  [
    'SELECT a.id FROM visits a JOIN visits a ON a.id = a.pages',
    'two tables of one SELECT have the name "a": give one of them another alias',
  ],
  [
    'SELECT id FROM visits UNION SELECT 1, 2',
    'the SELECTs of a UNION, INTERSECT or EXCEPT have different numbers of columns: select as many columns in each',
  ],
  ['SELECT (SELECT id FROM visits) AS x', 'a subquery that is used as one value returns several rows: add LIMIT 1'],
  ['SELECT 9223372036854775807 + id AS x FROM visits', 'a number is out of range'],
];

describe('mistakes in queries', () => {
  onEveryDatabase((ask) => {
    for (const [sql, message] of FAULTS) {
      it(`have the same message: ${sql}`, async () => {
        expect(await ask(sql).catch((error: Error) => error.message)).to.equal(message);
      });
    }
  });
});
