import { expect } from 'chai';
import { createConnection } from 'mysql2/promise';
import { RESERVED_WORDS } from '../../engine/sql/reading/reserved-words.js';
import { useMysql } from '../services/mysql.js';
import { useTidb } from '../services/tidb.js';

/** The positions in which a reserved word cannot be a name, each with a statement. The test replaces `w` in it by the word. */
const AS_NAMES: Readonly<Record<string, string>> = {
  'as the name of a column': 'SELECT 1 AS w',
  'without AS': 'SELECT 1 w',
  'as a column': 'SELECT w FROM (SELECT 1 AS `w`) t',
  'in ORDER BY': 'SELECT 1 AS `w` ORDER BY w',
  'as the name of a table': 'SELECT 1 FROM (SELECT 1 AS a) AS w',
  'in WITH': 'WITH w AS (SELECT 1 AS a) SELECT 1 FROM `w`',
};
const FREE: Readonly<Record<string, string>> = {
  'after a point': 'SELECT t.w FROM (SELECT 1 AS `w`) t',
  'before a point': 'SELECT w.a FROM (SELECT 1 AS a) AS `w`',
  'in backticks': 'SELECT 1 AS `w`',
};

const SYNTAX_ERROR = 1064;

/** Returns the words that cause a syntax error in the statement, in lower case. */
async function rejectedWords(url: string, words: Iterable<string>, sql: string): Promise<string[]> {
  const connection = await createConnection(url);
  const wrong: string[] = [];
  try {
    for (const word of words) {
      await connection.query(sql.replace(/\bw\b/g, word.toLowerCase())).catch((error: { errno?: number }) => {
        if (error.errno === SYNTAX_ERROR) wrong.push(word);
      });
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

    for (const [place, sql] of Object.entries(AS_NAMES)) {
      it(`has every word that the server rejects ${place}`, async () => {
        const words = new Set([...(await keywords(database.url)), ...RESERVED_WORDS]);
        const wrong = await rejectedWords(database.url, words, sql);
        expect(wrong).not.to.deep.equal([]);
        expect(wrong.filter((word) => !RESERVED_WORDS.has(word))).to.deep.equal([]);
      });
    }

    for (const [place, sql] of Object.entries(FREE)) {
      it(`has no word that the server rejects ${place}`, async () => {
        expect(await rejectedWords(database.url, RESERVED_WORDS, sql)).to.deep.equal([]);
      });
    }
  });
}
