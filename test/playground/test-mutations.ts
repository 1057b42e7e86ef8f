import { expect } from 'chai';
import fc from 'fast-check';
import { listFunctions } from '../../engine/sql/duckdb/translate.js';
import { guardSql as guard } from '../../engine/sql/guard/guard-sql.js';
import { SqlRejectedError } from '../../engine/sql/guard/rejection.js';
import { maskNonCode } from '../../engine/sql/reading/lexemes.js';
import { PUBLIC_TABLES } from '../../warehouse/public-tables.js';
import { ANALYST_QUERIES } from './analyst-queries.js';
import { ATTACKS } from './attacks.js';

const guardSql = (sql: string, markers: readonly string[] = []) => guard(sql, PUBLIC_TABLES, markers);

const WORDS = [
  ...[
    'sys_users',
    'github_users',
    'email',
    'SLEEP(1)',
    'LOAD_FILE(1)',
    'UNION SELECT email FROM sys_users',
    '@@version',
  ],
  ...["'", '"', '`', '/*', '*/', '/*!', '--', '-- ', '#', ';', '\\', '(', ')', ',', '\n', '@x', ':p1', '?', '$1'],
  ...[
    'WITH a AS (SELECT 1)',
    'FROM',
    'JOIN',
    'NATURAL JOIN',
    'INTO',
    'FOR UPDATE',
    'LATERAL',
    'mysql.user',
    '*',
    '.',
    'AS',
  ],
  ...[
    'OVER ()',
    'RECURSIVE',
    'VALUES',
    'TABLE',
    'COLLATE',
    'INTERVAL',
    'CASE',
    'END',
    'NOT',
    'x',
    '0x41',
    '1e9',
    '/etc/passwd',
  ],
];

/** A query in which parts are removed, inserted, repeated or replaced by parts of another query. */
const MUTATED = fc
  .tuple(
    fc.constantFrom(...ANALYST_QUERIES, ...ATTACKS.map(([sql]) => sql)),
    fc.constantFrom(...ANALYST_QUERIES),
    fc.array(
      fc.tuple(fc.nat(), fc.nat(30), fc.nat(), fc.constantFrom('remove', 'word', 'double', 'splice', 'name'), fc.nat()),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
  )
  .map(([sql, other, changes]) => changes.reduce((text, change) => applyChange(text, other, change), sql));

function applyChange(
  text: string,
  other: string,
  [place, length, otherPlace, kind, word]: readonly [number, number, number, string, number],
): string {
  const at = place % (text.length + 1);
  const [before, part, after] = [text.slice(0, at), text.slice(at, at + length), text.slice(at + length)];
  if (kind === 'remove') return before + after;
  if (kind === 'double') return before + part + part + after;
  if (kind === 'word') return `${before} ${WORDS[word % WORDS.length]} ${part}${after}`;
  if (kind === 'name') return replaceName(text, place, otherPlace);
  const from = otherPlace % (other.length + 1);
  return before + other.slice(from, from + length) + after;
}

/** Replaces one name in the text by another name from the text. */
function replaceName(text: string, place: number, otherPlace: number): string {
  const names = [...text.matchAll(/\b[a-z]\w*\b/g)];
  const [name, other] = [names[place % names.length], names[otherPlace % names.length]];
  if (name === undefined || other === undefined) return text;
  return text.slice(0, name.index) + other[0] + text.slice(name.index + name[0].length);
}

/** Defines the tests of the guard with this number of mutated queries. */
export function testMutations(runs: number, seed: number): void {
  describe('the guard of the playground: mutated queries', () => {
    it('are rejected, or become a text that reads only public tables with known functions', () => {
      let passed = 0;
      const property = fc.property(MUTATED, (sql) => {
        const written = writeIfAllowed(sql);
        if (written === undefined) return;
        passed++;
        expect(findForbidden(written), `${sql}\n→ ${written}`).to.deep.equal([]);
      });
      fc.assert(property, { numRuns: runs, seed });
      expect(passed).to.be.greaterThan(runs / 200);
    });

    it('are rejected or rewritten if they have random characters, and cause no other error', () => {
      fc.assert(
        fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (noise) => {
          writeIfAllowed(noise);
          writeIfAllowed(`SELECT ${noise} FROM collections`);
        }),
        { numRuns: Math.ceil(runs / 3), seed },
      );
    });
  });
}

/**
 * Returns the text that the guard writes, or undefined if the guard rejects the query. Any other error fails the test.
 */
function writeIfAllowed(sql: string): string | undefined {
  try {
    return guardSql(sql).sql;
  } catch (error) {
    if (error instanceof SqlRejectedError) return undefined;
    throw error;
  }
}

const KNOWN = new Set([
  ...listFunctions(),
  ...[
    'COUNT',
    'SUM',
    'AVG',
    'MIN',
    'MAX',
    'STD',
    'STDDEV',
    'STDDEV_POP',
    'STDDEV_SAMP',
    'VARIANCE',
    'VAR_POP',
    'VAR_SAMP',
  ],
  ...[
    'BIT_OR',
    'BIT_XOR',
    'GROUP_CONCAT',
    'JSON_ARRAYAGG',
    'ROW_NUMBER',
    'RANK',
    'DENSE_RANK',
    'PERCENT_RANK',
    'CUME_DIST',
  ],
  ...['NTILE', 'LAG', 'LEAD', 'FIRST_VALUE', 'LAST_VALUE', 'NTH_VALUE', 'CAST', 'TRIM', 'EXTRACT', 'LOCATE'],
  // Keywords that can precede a parenthesis.
  ...[
    'FROM',
    'JOIN',
    'IN',
    'AS',
    'OVER',
    'USING',
    'ANY',
    'ALL',
    'EXISTS',
    'UNION',
    'INTERSECT',
    'EXCEPT',
    'WHERE',
    'AND',
    'OR',
  ],
  ...[
    'NOT',
    'ON',
    'BY',
    'SELECT',
    'WHEN',
    'THEN',
    'ELSE',
    'CASE',
    'INTERVAL',
    'HAVING',
    'DISTINCT',
    'LIKE',
    'REGEXP',
    'BETWEEN',
  ],
  ...['XOR', 'DIV', 'DECIMAL', 'CHAR', 'DATETIME', 'END', 'SEPARATOR'],
]);

/**
 * Returns the forbidden tables, tables used as values, functions and signs in a text that the guard has written. Finds these without the
 * parser of the guard, so that an error in the parser cannot hide them.
 */
function findForbidden(written: string): string[] {
  const names: string[] = [];
  // Names become numbers and texts become empty, so that only code remains.
  const code = maskNonCode(written)
    .replace(/`((?:[^`]|``)*)`/g, (_, name: string) => `«${names.push(name) - 1}»`)
    .replace(/'[^']*'/g, "''")
    .replace(/\b(TRIM\((?:BOTH|LEADING|TRAILING) [^()]*|EXTRACT\(\w+) FROM/g, '$1,');
  const tables = [...code.matchAll(/\b(?:FROM|JOIN) «(\d+)»/g)]
    .map(([, place]) => names[Number(place)] ?? '')
    .filter((name) => !PUBLIC_TABLES.has(name) && !/^with_\d+$/.test(name));
  const aliases = new Set(
    [...code.matchAll(/(?:\)|FROM «\d+»|JOIN «\d+»|, «\d+») AS «(\d+)»/g)].map(([, place]) => names[Number(place)]),
  );
  const rows = [...code.matchAll(/(?<!AS )«(\d+)»(?!\.)/g)].map(([, place]) => names[Number(place)] ?? '');
  const functions = [...code.matchAll(/(\w+)\s*\(/g)].map(([, name = '']) => name).filter((name) => !KNOWN.has(name));
  return [
    ...tables,
    ...rows.filter((name) => aliases.has(name) && /_\d+$/.test(name)),
    ...functions,
    ...(code.match(/[;@?$#{}[\]\\!]|--|\/\*/g) ?? []),
  ];
}
