import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import initialize from 'sql.js';
import { FILE_LIMITS, type FileResult, writeSqliteFile } from '../../explorer/answers/sqlite-file.js';
import type { ResultValue } from '../../explorer/questions/question.js';
import { errorOf, messageOf } from '../databases/failures.js';

describe('the SQLite file of a result', () => {
  it('has one table with the types, and with the exact values as SQL literals', async () => {
    const result: FileResult = {
      fields: [
        { name: 'id', columnType: 'BIGINT' },
        { name: 'total', columnType: 'DECIMAL' },
        { name: 'percentage', columnType: 'DECIMAL' },
        { name: 'score', columnType: 'DOUBLE' },
        { name: 'day', columnType: 'DATE' },
        { name: 'text', columnType: 'VARCHAR' },
      ],
      rows: [
        { id: '9007199254740993', total: 5, percentage: 0.25, score: 2, day: '2024-01-01', text: "it's \\ \n 😀" },
        { id: 2 ** 53 - 1, total: '-9223372036854775808', percentage: 1, score: 1e300, day: '2024', text: '007' },
        { id: null, total: null, percentage: null, score: null, day: null, text: '' },
        { id: 2 ** 40, total: 0, percentage: 0.1, score: 0.1, day: '', text: null },
      ],
    };
    expect(await readFile(result)).to.deep.equal({
      columns: ['id INTEGER', 'total NUMERIC', 'percentage NUMERIC', 'score REAL', 'day TEXT', 'text TEXT'],
      rows: [
        ['9007199254740993', '5', '0.25', '2.0', "'2024-01-01'", "'it''s \\ \n 😀'"],
        ['9007199254740991', '-9223372036854775808', '1', '1.0e+300', "'2024'", "'007'"],
        ['NULL', 'NULL', 'NULL', 'NULL', 'NULL', "''"],
        ['1099511627776', '0', '0.1', '0.1', "''", 'NULL'],
      ],
    });
  });

  it('stores numbers that SQLite cannot hold as text', async () => {
    const { columns, rows } = await readFile({
      fields: [
        { name: 'wide', columnType: 'UNSIGNED BIGINT' },
        { name: 'exact', columnType: 'DECIMAL' },
        { name: 'json', columnType: 'JSON' },
        { name: 'other', columnType: 'GEOMETRY' },
      ],
      rows: [
        { wide: '18446744073709551615', exact: '12345678901234567.89', json: '{"a": 1}', other: 'x' },
        { wide: 1, exact: 0.5, json: '1', other: 7 },
      ],
    });
    expect(columns).to.deep.equal(['wide TEXT', 'exact TEXT', 'json TEXT', 'other TEXT']);
    expect(rows).to.deep.equal([
      ["'18446744073709551615'", "'12345678901234567.89'", `'{"a": 1}'`, "'x'"],
      ["'1'", "'0.5'", "'1'", "'7'"],
    ]);
  });

  it('keeps hostile column names, and makes names different that SQLite treats as equal', async () => {
    const names = [
      'a"b',
      "it's",
      '`',
      '[x]',
      '',
      ' ',
      '--',
      '); DROP TABLE result; --',
      'select',
      'rowid',
      '__proto__',
    ];
    const equal = ['Stars', 'stars', 'STARS', 'stars_2', 'É', 'é', 'x\0y', '\ud800'];
    const fields = [...names, ...equal].map((name) => ({ name, columnType: 'INT' }));
    const row = Object.fromEntries(fields.map(({ name }, index) => [name, index] as const));
    const { columns, rows } = await readFile({ fields, rows: [row] });
    const written = ['Stars', 'stars_3', 'STARS_4', 'stars_2', 'É', 'é', 'x\ufffdy', '\ufffd'];
    expect(columns).to.deep.equal([...names, ...written].map((name) => `${name} INTEGER`));
    expect(rows).to.deep.equal([fields.map((_, index) => String(index))]);
  });

  it('can be empty, and can have 100 rows', async () => {
    const fields = [{ name: 'n', columnType: 'INT' }];
    expect(await readFile({ fields, rows: [] })).to.deep.equal({ columns: ['n INTEGER'], rows: [] });
    const numbers = Array.from({ length: 100 }, (_, index) => index);
    const { rows } = await readFile({ fields, rows: numbers.map((n) => ({ n })) });
    expect(rows).to.deep.equal(numbers.map((n) => [String(n)]));
  });

  it('opens in the sqlite3 shell, or in Python, if one of them is installed', async function () {
    const bytes = await writeSqliteFile({
      fields: [
        { name: 'id', columnType: 'BIGINT' },
        { name: 'a "b"', columnType: 'VARCHAR' },
      ],
      rows: [
        { id: '9007199254740993', 'a "b"': 'é 😀' },
        { id: null, 'a "b"': '' },
      ],
    });
    const folder = await mkdtemp(join(tmpdir(), 'repo-insight-sqlite-'));
    try {
      const file = join(folder, 'result.sqlite');
      await writeFile(file, bytes);
      const read = await readWithProgram(file);
      if (read === undefined) return this.skip();
      expect(read).to.equal(`ok\n9007199254740993|'é 😀'\nNULL|''\n`);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('contains every text exactly', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { maxLength: 20 }), async (texts) => {
        const rows = texts.map((text) => ({ text }));
        const bytes = await writeSqliteFile({ fields: [{ name: 'text', columnType: 'VARCHAR' }], rows });
        const read = await readValues(bytes, 'SELECT hex(text) FROM result ORDER BY rowid');
        expect(read).to.deep.equal(texts.map((text) => [Buffer.from(text).toString('hex').toUpperCase()]));
      }),
      { numRuns: 100 },
    );
  });

  it('is bounded', async () => {
    const fields = [{ name: 'n', columnType: 'VARCHAR' }];
    const rows = (count: number, n: string) => new Array<{ n: string }>(count).fill({ n });
    for (const [result, message] of [
      [{ fields: [], rows: [] }, 'A SQLite table needs a column; the result has none.'],
      [{ fields, rows: rows(50_001, '') }, 'The result has 50001 rows; a SQLite file contains at most 50000.'],
      [
        { fields: new Array(1_001).fill(fields[0]), rows: [] },
        'The result has 1001 columns; a SQLite file contains at most 1000.',
      ],
      [
        { fields, rows: rows(17, 'x'.repeat(1_000_000)) },
        'The result has 17000000 characters; a SQLite file contains at most 16000000.',
      ],
    ] satisfies [FileResult, string][]) {
      expect(await messageOf(writeSqliteFile(result))).to.equal(message);
      expect(await errorOf(writeSqliteFile(result))).to.be.instanceOf(RangeError);
    }
    expect(FILE_LIMITS.rows).to.equal(50_000);
  });

  it('can be written many times at once', async () => {
    const fields = [{ name: 'n', columnType: 'INT' }];
    const files = await Promise.all(
      Array.from({ length: 20 }, (_, n) => writeSqliteFile({ fields, rows: [{ n }] as Record<string, ResultValue>[] })),
    );
    const values = await Promise.all(files.map((bytes) => readValues(bytes, 'SELECT n FROM result')));
    expect(values).to.deep.equal(files.map((_, n) => [[n]]));
  });
});

/** Writes a file, and reads its columns and its rows, as SQL literals. */
async function readFile(result: FileResult): Promise<{ columns: unknown[]; rows: unknown[][] }> {
  const bytes = await writeSqliteFile(result);
  expect(await readValues(bytes, 'SELECT type, name FROM sqlite_master')).to.deep.equal([['table', 'result']]);
  const columns = await readValues(bytes, "SELECT name, type FROM pragma_table_info('result') ORDER BY cid");
  const literals = columns.map(([name]) => `quote("${String(name).replaceAll('"', '""')}")`);
  const rows = await readValues(bytes, `SELECT ${literals.join(', ')} FROM "result" ORDER BY _rowid_`);
  return { columns: columns.map(([name, type]) => `${name} ${type}`), rows };
}

async function readValues(bytes: Uint8Array, sql: string): Promise<unknown[][]> {
  const sqlite = await initialize();
  const database = new sqlite.Database(bytes);
  try {
    return database.exec(sql)[0]?.values ?? [];
  } finally {
    database.close();
  }
}

const run = promisify(execFile);

/** Checks and reads a file with the SQLite program, and returns its output. Undefined if it is not installed. */
async function readWithProgram(file: string): Promise<string | undefined> {
  const statements = ['PRAGMA integrity_check', 'SELECT id, quote("a ""b""") FROM result ORDER BY rowid'];
  const shell = ['-nullvalue', 'NULL', file, `${statements.join(';')};`];
  const script = [
    'import sqlite3, sys',
    'connection = sqlite3.connect(sys.argv[1])',
    'for sql in sys.argv[2:]:',
    "  for row in connection.execute(sql): print('|'.join('NULL' if cell == None else str(cell) for cell in row))",
  ].join('\n');
  for (const [program, words] of [
    ['sqlite3', shell],
    ['python3', ['-c', script, file, ...statements]],
  ] as const) {
    try {
      return (await run(program, [...words])).stdout;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return undefined;
}
