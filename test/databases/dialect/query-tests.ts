import { expect } from 'chai';
import type { BoundValue } from '../../../engine/databases/interface/database.js';
import { type DatabaseName, onEveryDatabase } from './every-database.js';

type Cell = string | null;

/**
 * Tests expressions. A row consists of a text with one or more expressions, separated by commas, and the expected value of each. A query
 * contains the expressions of several rows. If it fails, each row is tested separately.
 */
export function testExpressions(title: string, rows: readonly (readonly [string, ...Cell[]])[]): void {
  const groups = Array.from({ length: Math.ceil(rows.length / ROWS_OF_QUERY) }, (_, index) =>
    rows.slice(index * ROWS_OF_QUERY, (index + 1) * ROWS_OF_QUERY),
  );
  describe(title, () => {
    onEveryDatabase((ask) => {
      for (const group of groups) {
        it(group.map(([expression]) => expression).join('; '), async () => {
          const answer = await ask(`SELECT ${group.map(([expression]) => expression).join(', ')}`).catch(
            () => undefined,
          );
          const expected = [group.flatMap(([, ...cells]) => cells.map((cell) => cell ?? 'NULL')).join(' | ')];
          if (answer?.length === 1 && answer[0] === expected[0]) return;
          for (const [expression, ...cells] of group) {
            const row = cells.map((cell) => cell ?? 'NULL').join(' | ');
            expect(await ask(`SELECT ${expression}`), expression).to.deep.equal([row]);
          }
          expect(answer).to.deep.equal(expected);
        });
      }
    });
  });
}

const ROWS_OF_QUERY = 16;

/**
 * Tests queries on the small tables. A row consists of the SQL and the expected result rows in order. In a result row, cells are separated
 * by ` | `.
 */
export function testQueries(title: string, queries: readonly (readonly [string, readonly string[]])[]): void {
  describe(title, () => {
    onEveryDatabase((ask) => {
      for (const [sql, expected] of queries) {
        it(sql, async () => {
          expect(await ask(sql)).to.deep.equal(expected);
        });
      }
    });
  });
}

/** Tests queries with bound values. A row consists of the SQL, the values and the expected result rows. */
export function testBoundQueries(
  title: string,
  queries: readonly (readonly [string, readonly BoundValue[], readonly string[]])[],
): void {
  describe(title, () => {
    onEveryDatabase((ask) => {
      for (const [sql, values, expected] of queries) {
        it(`${sql} with ${values.map(String).join(', ')}`, async () => {
          expect(await ask(sql, values)).to.deep.equal(expected);
        });
      }
    });
  });
}

/** A query for which the databases return different answers, and the reason. An answer that is a text is part of an error message. */
export interface Difference {
  readonly sql: string;
  readonly values?: readonly BoundValue[];
  readonly because: string;
  /** The answer of each database. If there is no entry for TiDB, it must return the answer of DuckDB. */
  readonly answers: Readonly<Record<'DuckDB' | 'MariaDB', Answer> & Partial<Record<DatabaseName, Answer>>>;
}

type Answer = readonly string[] | string;

export function testDifferences(differences: readonly Difference[]): void {
  onEveryDatabase((ask, name) => {
    for (const { sql, values, because, answers: expected } of differences) {
      it(`${sql}: ${because}`, async () => {
        const answer = expected[name] ?? expected.DuckDB;
        const actual = await ask(sql, values).catch((error: Error) => error.message);
        if (typeof answer === 'string') expect(actual).to.be.a('string').that.contains(answer);
        else expect(actual).to.deep.equal(answer);
      });
    }
  });
}
