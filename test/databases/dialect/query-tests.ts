import { expect } from 'chai';
import type { BoundValue } from '../../../engine/interface/database.js';
import { type DatabaseName, onEveryDatabase } from './every-database.js';

type Cell = string | null;

/** Checks a table of expressions: the text of one or several with commas between, then what each of them gives. */
export function testExpressions(title: string, rows: readonly (readonly [string, ...Cell[]])[]): void {
  testQueries(
    title,
    rows.map(([expression, ...cells]) => [`SELECT ${expression}`, [cells.map((cell) => cell ?? 'NULL').join(' | ')]]),
  );
}

/** Checks a table of queries over the small tables: the text, then the rows in their order, ` | ` between cells. */
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

/** Checks queries with bound values: the text, the values, the rows. */
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

/** A query that the databases answer differently, and the reason. An answer that is no list is part of an error. */
export interface Difference {
  readonly sql: string;
  readonly values?: readonly BoundValue[];
  readonly because: string;
  /** That of TiDB is left out if it is the same as that of DuckDB. */
  readonly answers: Readonly<Record<'DuckDB' | 'MariaDB', Answer> & Partial<Record<DatabaseName, Answer>>>;
}

type Answer = readonly string[] | string;

export function testDifferences(differences: readonly Difference[]): void {
  onEveryDatabase((ask, name) => {
    for (const { sql, values, because, answers: expected } of differences) {
      it(`${sql}: ${because}`, async () => {
        const answer = expected[name] ?? expected.DuckDB;
        const given = await ask(sql, values).catch((error: Error) => error.message);
        if (typeof answer === 'string') expect(given).to.be.a('string').that.contains(answer);
        else expect(given).to.deep.equal(answer);
      });
    }
  });
}
