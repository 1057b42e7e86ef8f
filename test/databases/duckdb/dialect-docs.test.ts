import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { knownFunctions, translate } from '../../../databases/duckdb/translate.js';

/** Compiled tests live in dist/test/databases/duckdb. */
const PAGE = new URL('../../../../docs/sql-dialect.md', import.meta.url);

describe('docs/sql-dialect.md', () => {
  const page = readFileSync(PAGE, 'utf8');
  const functions = page.slice(page.indexOf('## Functions'), page.indexOf('## What is refused'));
  const [scalars = '', overRows = ''] = functions.split('| over rows |');

  it('lists the functions that the translation knows, and no others', () => {
    const table = scalars.slice(0, scalars.indexOf('Besides them'));
    expect(namesIn(table).sort()).to.deep.equal(knownFunctions());
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

function namesIn(markdown: string): string[] {
  return [...markdown.matchAll(/`([A-Z0-9_]+)`/g)].map((match) => String(match[1]));
}
