import { expect } from 'chai';
import { createConnection } from 'mysql2/promise';
import { RESERVED_WORDS } from '../../engine/sql/reading/reserved-words.js';
import { useMysql } from '../services/mysql.js';
import { useTidb } from '../services/tidb.js';

/** A statement with several words in one position. */
type Write = (words: readonly string[]) => string;

const quoted = (words: readonly string[]) => words.map((word) => `1 AS \`${word}\``).join(', ');
const list = (words: readonly string[], write: (word: string) => string) => words.map(write).join(', ');

/** The positions in which a reserved word cannot be a name. */
const AS_NAMES: Readonly<Record<string, Write>> = {
  'as the name of a column': (words) => `SELECT ${list(words, (w) => `1 AS ${w}`)}`,
  'without AS': (words) => `SELECT ${list(words, (w) => `1 ${w}`)}`,
  'as a column': (words) => `SELECT ${words.join(', ')} FROM (SELECT ${quoted(words)}) t`,
  'in ORDER BY': (words) => `SELECT ${quoted(words)} ORDER BY ${words.join(', ')}`,
  'as the name of a table': (words) => `SELECT 1 FROM ${list(words, (w) => `(SELECT 1 AS a) AS ${w}`)}`,
  'in WITH': (words) =>
    `WITH ${list(words, (w) => `${w} AS (SELECT 1 AS a)`)} SELECT 1 FROM ${list(words, (w) => `\`${w}\``)}`,
};
const FREE: Readonly<Record<string, Write>> = {
  'after a point': (words) => `SELECT ${list(words, (w) => `t.${w}`)} FROM (SELECT ${quoted(words)}) t`,
  'before a point': (words) =>
    `SELECT ${list(words, (w) => `${w}.a`)} FROM ${list(words, (w) => `(SELECT 1 AS a) AS \`${w}\``)}`,
  'in backticks': (words) => `SELECT ${quoted(words)}`,
};

/** The number of words in a statement. A SELECT can read at most 61 tables. */
const WORDS_OF_STATEMENT = 40;

const SYNTAX_ERROR = 1064;

/** Returns the words that cause a syntax error in the statement. If the statement fails with several words, each is tested separately. */
async function rejectedWords(url: string, words: Iterable<string>, write: Write): Promise<string[]> {
  const connection = await createConnection(url);
  const fails = (some: readonly string[]) =>
    connection.query(write(some.map((word) => word.toLowerCase()))).then(
      () => false,
      ({ errno }: { errno?: number }) => some.length > 1 || errno === SYNTAX_ERROR,
    );
  const wrong: string[] = [];
  try {
    const all = [...words];
    for (let place = 0; place < all.length; place += WORDS_OF_STATEMENT) {
      const some = all.slice(place, place + WORDS_OF_STATEMENT);
      if (!(await fails(some))) continue;
      for (const word of some) if (await fails([word])) wrong.push(word);
    }
    return wrong;
  } finally {
    await connection.end();
  }
}

/** Returns all keywords that the server lists. */
async function keywords(url: string): Promise<string[]> {
  const connection = await createConnection(url);
  try {
    const [rows] = await connection.query('SELECT WORD AS word FROM information_schema.KEYWORDS');
    const words = (rows as { word: string }[]).map(({ word }) => word.toUpperCase());
    return words.filter((word) => /^[A-Z][A-Z0-9_]*$/.test(word));
  } finally {
    await connection.end();
  }
}

for (const [server, use] of [
  ['MariaDB', useMysql],
  ['TiDB', useTidb],
] as const) {
  describe(`the list of reserved words, on ${server}`, () => {
    const database = use();

    for (const [place, write] of Object.entries(AS_NAMES)) {
      it(`has every word that the server rejects ${place}`, async () => {
        const others = (await keywords(database.url)).filter((word) => !RESERVED_WORDS.has(word));
        expect(others.length).to.be.above(100);
        expect(await rejectedWords(database.url, ['SELECT', ...others], write)).to.deep.equal(['SELECT']);
      });
    }

    for (const [place, write] of Object.entries(FREE)) {
      it(`has no word that the server rejects ${place}`, async () => {
        expect(await rejectedWords(database.url, RESERVED_WORDS, write)).to.deep.equal([]);
      });
    }
  });
}
