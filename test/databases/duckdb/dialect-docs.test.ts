import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { listFunctions, translate } from '../../../engine/sql/duckdb/translate.js';
import { UntranslatableSqlError } from '../../../engine/sql/reading/untranslatable-sql-error.js';
import { MYSQL_FUNCTIONS } from './mysql-functions.js';

/** The path is relative to the compiled test, which is in dist/test/databases/duckdb. */
const PAGE = new URL('../../../../docs/sql-dialect.md', import.meta.url);

describe('docs/sql-dialect.md', () => {
  const page = readFileSync(PAGE, 'utf8');
  const functions = page.slice(page.indexOf('## Functions'), page.indexOf('## What is rejected'));
  const [scalars = '', overRows = ''] = functions.split('| over rows |');

  it('lists exactly the functions that the translation knows', () => {
    const table = scalars.slice(0, scalars.indexOf('Also supported'));
    expect(namesIn(table).sort()).to.deep.equal(listFunctions());
  });

  it('lists aggregates and window functions that translate', () => {
    const [aggregates = '', windows = ''] = overRows
      .split('\n')
      .filter((line) => line.startsWith('| aggregates') || line.startsWith('| windows'));
    for (const name of namesIn(aggregates)) expect(translate(`SELECT ${name}(a) AS a FROM t`), name).to.contain('(');
    for (const name of namesIn(windows))
      expect(translate(`SELECT ${name}() OVER (ORDER BY a) AS a FROM t`), name).to.contain('OVER');
  });
});

describe('the functions and clauses of MySQL 8 that docs/sql-dialect.md lists as not supported', () => {
  const page = readFileSync(PAGE, 'utf8');
  const [supported = '', missing = ''] = page.split('## Unsupported features of MySQL 8');
  const [functions = '', clauses = ''] = missing.split('| operators and clauses |');
  const unsupported = rowsOf(functions).flatMap(([, names = '']) => namesIn(names));
  const documented = namesIn(
    supported.slice(supported.indexOf('## Functions'), supported.indexOf('## What is rejected')),
  );

  it('and the supported functions together cover every function of the manual once', () => {
    const known = new Set([...documented, ...callsIn(supported)].filter((name) => MYSQL_FUNCTIONS.includes(name)));
    expect([...known, ...unsupported].sort()).to.deep.equal([...MYSQL_FUNCTIONS].sort());
  });

  it('are functions that the translation rejects', () => {
    for (const name of unsupported) {
      for (const args of ['', 'a', 'a, b']) {
        expect(() => translate(`SELECT ${name}(${args}) AS x FROM t`), name).to.throw(UntranslatableSqlError);
      }
    }
  });

  for (const [construct = '', examples = ''] of rowsOf(clauses)) {
    const queries = [...examples.matchAll(/`([^`]+)`/g)].map((match) => String(match[1]));
    it(`are clauses that the translation rejects: ${construct}`, () => {
      expect(queries, 'examples').to.not.deep.equal([]);
      for (const sql of queries) expect(() => translate(sql), sql).to.throw(UntranslatableSqlError);
    });
  }
});

/** Returns the functions with arguments, such as `NTILE(n)`, that the page lists. */
function callsIn(markdown: string): string[] {
  const line = markdown.slice(markdown.indexOf('Also known: '));
  return [...line.slice(0, line.indexOf('\n\n')).matchAll(/`([A-Z_]+)\(/g)].map((match) => String(match[1]));
}

/** Returns the cells of the first table, without its header rows. */
function rowsOf(markdown: string): string[][] {
  const lines = markdown.slice(markdown.indexOf('| ---')).split('\n').slice(1);
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(0, end < 0 ? undefined : end).map((line) => line.split(/(?<!\\)\|/).slice(1, -1));
}

function namesIn(markdown: string): string[] {
  return [...markdown.matchAll(/`([A-Z0-9_]+)`/g)].map((match) => String(match[1]));
}
