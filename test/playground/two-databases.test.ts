import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { TABLE_REFERENCE } from '../../warehouse/table-reference.js';
import { describeExceptOnTidb, SERVER } from '../services/server.js';
import { ANALYST_QUERIES } from './analyst-queries.js';
import { DIFFERENCES } from './differences.js';
import { EQUAL_QUERIES } from './equal-queries.js';
import { itAsks } from './on-tidb.js';
import { FAILING_QUERIES, REJECTED_QUERIES } from './rejected-queries.js';
import { useTwoAnswers } from './two-answers.js';
import type { PlaygroundAnswer } from './two-playgrounds.js';

const PAGE = new URL('../../../docs/sql-dialect.md', import.meta.url);

describe('the playground: SQL on both databases', () => {
  const two = useTwoAnswers();

  const askBoth = (sql: string) => Promise.all([two.embedded(sql), two.served(sql)]);

  for (const sql of EQUAL_QUERIES) {
    itAsks('returns equal answers', sql, async () => {
      const [embedded, served] = (await askBoth(sql)).map((answer) => rowsOf(answer, sql));
      expect(served).to.deep.equal(embedded);
      expect(embedded).to.be.an('array');
    });
  }

  const examples = [...TABLE_REFERENCE.values()].map(({ example = '' }) => example);
  for (const sql of [...ANALYST_QUERIES, ...examples]) {
    itAsks('returns equal rows for a query of an analyst', sql, async () => {
      const [embedded, served] = await askBoth(sql);
      expect(embedded.body.detail, 'DuckDB').to.equal(undefined);
      expect(served.body.detail, SERVER).to.equal(undefined);
      expect(served.body.data).to.deep.equal(embedded.body.data);
      // The demo data contain no repositories of open-source databases.
      if (!sql.includes('osdb_repos')) expect(embedded.body.data).to.have.length.greaterThan(0);
    });
  }

  for (const [sql, reason] of REJECTED_QUERIES) {
    itAsks('rejects with a reason', sql, async () => {
      // The guard rejects the SQL before it reaches a database.
      const { status, body } = await two.served(sql);
      expect([status, body.code, body.detail]).to.deep.equal([422, 'sql_refused', reason]);
    });
  }

  for (const sql of FAILING_QUERIES) {
    itAsks('fails on both', sql, async () => {
      for (const { status, body } of await askBoth(sql)) {
        expect([status, body.code]).to.deep.equal([422, 'sql_failed']);
      }
    });
  }

  describeExceptOnTidb('the list contains the answers of MariaDB', 'differs as documented', () => {
    for (const { sql, duckdb, mariadb, matter } of DIFFERENCES) {
      it(`${matter}: ${sql}`, async () => {
        const [embedded, served] = await askBoth(sql);
        expectAnswer(embedded, duckdb);
        expectAnswer(served, mariadb);
        expect(await readFile(PAGE, 'utf8')).to.match(new RegExp(`^\\| ${escapePattern(matter)} +\\|`, 'm'));
      });
    }
  });
});

/** Returns the rows (sorted if the query has no ORDER BY), or the error message. */
function rowsOf({ status, body }: PlaygroundAnswer, sql: string): unknown {
  if (status !== 200) return body.detail;
  const rows = (body.data as object[]).map((row) => JSON.stringify(row));
  return / ORDER BY /.test(sql) ? rows : rows.sort();
}

function expectAnswer({ status, body }: PlaygroundAnswer, expected: readonly object[] | string): void {
  if (typeof expected !== 'string') {
    expect(body.data, String(body.detail)).to.deep.equal(expected);
    return;
  }
  expect([status, body.code]).to.deep.equal([422, 'sql_failed']);
  expect(body.detail).to.include(expected);
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^$()|[\]\\{}]/g, '\\$&');
}
