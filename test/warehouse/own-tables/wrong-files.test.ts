import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { listOwnTables } from '../../../warehouse/own-tables/stored-own-tables.js';
import { type TestWarehouse, testWarehouse } from '../test-warehouse.js';
import { loadFile, messageOf, writeParquet, writeTable } from './own-files.js';

/** Returns a documentation with these types for the columns a and b. */
function documentOf(a: string, b = '{ type: VARCHAR(5), description: Text., nullable: true }', more = ''): string {
  return `description: A list.\ncolumns:\n  a: ${a}\n  b: ${b}\n${more}`;
}

const INT = '{ type: INT, description: Number. }';
const EITHER = documentOf(INT);
const KEYED = documentOf(INT, undefined, 'key: [a]\n');

/** Invalid files: the content, the documentation, and the message after the file name. */
const WRONG: readonly (readonly [title: string, rows: string | Buffer, document: string, message: string])[] = [
  ['an empty file', '', EITHER, ': the file is empty.'],
  ['only a header', 'a,b\n', EITHER, ': the file has no rows. To remove a table, use data table drop.'],
  [
    'too few cells',
    'a,b\n1,x\n2\n',
    EITHER,
    ':3: the line has too few cells: expected 2 cells, got 1. The line is "2".',
  ],
  [
    'too many cells',
    'a,b\n1,x\n2,y,z\n',
    EITHER,
    ':3: the line has too many cells: expected 2 cells, got 3. The line is "2,y,z".',
  ],
  [
    'a wrong quote',
    'a,b\n1,"x"y\n',
    EITHER,
    ':2: the line has a wrong quote; write a quote inside a quoted cell twice. The line is "1,\\"x\\"y".',
  ],
  [
    'a quote without an end',
    'a,b\n1,"x\n2,y\n',
    EITHER,
    ':2: the line has a wrong quote; write a quote inside a quoted cell twice. The line is "1,\\"x\\n2,y\\n".',
  ],
  [
    'a line in another encoding',
    Buffer.from('a,b\n1,x\n2,é\n', 'latin1'),
    EITHER,
    ':3: the line is not UTF-8; save the file as CSV in UTF-8. The line is "2,?".',
  ],
  [
    'a header in another encoding',
    Buffer.from('a,é\n1,x\n', 'latin1'),
    EITHER,
    ': line 1 is not UTF-8. Save the file as CSV in UTF-8.',
  ],
  [
    'a line above the limit of DuckDB',
    `a,b\n1,x\n2,${'y'.repeat(33 * 1024 * 1024)}\n3,z\n`,
    EITHER,
    ':3: the row has more than 2097152 bytes, which is the limit; is a quote missing?',
  ],
  [
    'many short lines in one quoted cell',
    `a,b\n1,x\n2,"${'y\n'.repeat(1024 * 1024)}"\n`,
    EITHER,
    ':3: the row has more than 2097152 bytes, which is the limit; is a quote missing?',
  ],
  ['UTF-16', Buffer.from('\ufeffa,b\n1,x\n', 'utf16le'), EITHER, ': the file is UTF-16. Save it as CSV in UTF-8.'],
  ['binary data', Buffer.from([80, 75, 3, 4, 0, 0]), EITHER, ': the file is not text. Save it as CSV in UTF-8.'],
  ['a missing column', 'a\n1\n', EITHER, ': the column b is missing'],
  ['a misspelled column', 'a,bb\n1,x\n', EITHER, ': the column b is missing; the column "bb" is not documented'],
  ['another column', 'a,b,c\n1,x,y\n', EITHER, ': the column "c" is not documented'],
  [
    'a decimal number for INT',
    'a,b\n1.0,x\n1.5,x\n',
    EITHER,
    ': row 2, column a: expected an integer from -2147483648 to 2147483647 (INT), got "1.5"',
  ],
  [
    'a number out of range',
    'a,b\n2147483648,x\n9999999999,\n',
    EITHER,
    ': row 1, column a: expected an integer from -2147483648 to 2147483647 (INT), got "2147483648"; 1 more value does not fit',
  ],
  [
    'a text that is too long',
    'a,b\n1,abcdéf\n',
    EITHER,
    ': row 1, column b: expected text of at most 5 characters (VARCHAR(5)), got "abcdéf"',
  ],
  [
    'a missing value',
    'a,b\n1,x\n,y\n',
    EITHER,
    ': row 2, column a: expected an integer from -2147483648 to 2147483647 (INT), got no value; declare nullable: true if it can be missing',
  ],
  ['a repeated key', 'a,b\n1,x\n2,y\n3,z\n02,w\n', KEYED, ': row 4 has the same key as row 2: a "02"'],
  [
    'more decimals than the type has',
    'a,b\n1.10,x\n1.234,x\n',
    documentOf('{ type: "DECIMAL(5,2)", description: Price. }'),
    ': row 2, column a: expected a number with at most 3 digits before and 2 after the decimal point (DECIMAL(5,2)), got "1.234"',
  ],
  ...['nan', 'inf', '1e999', '0x10', ' 1', '1_000'].map(
    (value) =>
      [
        `${JSON.stringify(value)} for DOUBLE`,
        `a,b\n${value},x\n`,
        documentOf('{ type: DOUBLE, description: Share. }'),
        `: row 1, column a: expected a number (DOUBLE), got ${JSON.stringify(value)}`,
      ] as const,
  ),
  ...['2023-02-29', '01/02/2023', '0999-01-01', '10000-01-01', 'infinity'].map(
    (value) =>
      [
        `${value} for DATE`,
        `a,b\n${value},x\n`,
        documentOf('{ type: DATE, description: Day. }'),
        `: row 1, column a: expected a date as YYYY-MM-DD (DATE), got "${value}"`,
      ] as const,
  ),
  ...['2023-01-02T03:04:05+02:00', '2023-01-02 24:00:00', '2023-01-02 03:04:05.5', '2023-01-02 03:04:60'].map(
    (value) =>
      [
        `${value} for DATETIME`,
        `a,b\n${value},x\n`,
        documentOf('{ type: DATETIME, description: Time. }'),
        `: row 1, column a: expected a time in UTC as YYYY-MM-DD hh:mm:ss without fractions of a second (DATETIME), got "${value}"`,
      ] as const,
  ),
  [
    'another word for BOOLEAN',
    'a,b\nyes,x\n',
    documentOf('{ type: BOOLEAN, description: Flag. }'),
    ': row 1, column a: expected true, false, 1 or 0 (BOOLEAN), got "yes"',
  ],
];

describe('a wrong file of an own table', () => {
  let warehouse: TestWarehouse;
  before(async () => {
    warehouse = await testWarehouse();
  });
  afterEach(async () => expect(await listOwnTables(warehouse.database)).to.deep.equal([]));
  after(() => warehouse.close());

  const pathOf = (file: string) => join(warehouse.folder, file);

  for (const [title, rows, document, message] of WRONG) {
    it(`is rejected with one message: ${title}`, async () => {
      await writeTable(warehouse, 'wrong.csv', rows, document);
      expect(await messageOf(loadFile(warehouse, 'wrong.csv'))).to.equal(pathOf(`wrong.csv${message}`));
    });
  }

  it('is rejected if its lines have different ends', async () => {
    await writeTable(warehouse, 'wrong.csv', 'a,b\r\n1,x\n2,y\r\n', EITHER);
    const message = await messageOf(loadFile(warehouse, 'wrong.csv'));
    expect(message).to.match(/wrong\.csv: the file cannot be read as CSV: .* The lines may have different ends/);
  });

  it('is rejected without documentation if a name of a column cannot be used', async () => {
    const names = [
      ['Repo Name', /: invalid name of a column: expected at most 64 small letters.*, got "Repo Name"$/],
      ['rank', /: rank is a reserved word of SQL: rename the column, for example to rank_value$/],
      ['', /: invalid name of a column: .*, got ""$/],
      ['b', /: two columns have the name b$/],
    ] as const;
    for (const [name, message] of names) {
      await writeTable(warehouse, 'plain.csv', `b,${name}\n1,2\n`);
      expect(await messageOf(loadFile(warehouse, 'plain.csv'))).to.match(message);
    }
  });

  it('is rejected if it is not a Parquet file, or has columns that a table cannot store', async () => {
    await writeTable(warehouse, 'broken.parquet', 'PAR1 and nothing else');
    expect(await messageOf(loadFile(warehouse, 'broken.parquet'))).to.match(
      /broken\.parquet: the file cannot be read as Parquet: /,
    );
    await writeParquet(pathOf('nested.parquet'), 'SELECT 1 AS a, [1, 2] AS b');
    expect(await messageOf(loadFile(warehouse, 'nested.parquet'))).to.equal(
      `${pathOf('nested.parquet')}: the column "b" has the type INTEGER[], which no table can store. ` +
        'Write it as text, a number, a date or a time.',
    );
  });

  it('is rejected if it is missing, a folder, or of another kind', async () => {
    expect(await messageOf(loadFile(warehouse, 'none.csv'))).to.equal(`${pathOf('none.csv')}: there is no such file.`);
    await mkdir(pathOf('folder.csv'));
    expect(await messageOf(loadFile(warehouse, 'folder.csv'))).to.equal(`${pathOf('folder.csv')}: expected a file.`);
    expect(await messageOf(loadFile(warehouse, 'list.xlsx'))).to.equal(
      `${pathOf('list.xlsx')}: expected a .csv, .tsv or .parquet file.`,
    );
  });

  it('is rejected if it has too many rows', async () => {
    await writeParquet(pathOf('many.parquet'), 'SELECT range AS a FROM range(1000001)');
    expect(await messageOf(loadFile(warehouse, 'many.parquet'))).to.equal(
      `${pathOf('many.parquet')}: the file has more than 1000000 rows, which is the limit of an own table.`,
    );
  });

  it('is rejected if a name of the table is not that of an own table', async () => {
    await writeTable(warehouse, 'list.csv', 'a\n1\n');
    const rule = 'expected own_ and then small letters, digits and single _, at most 48 characters';
    const names = [
      ['countries', `invalid name of an own table (did you mean "own_countries"?): ${rule}, got "countries"`],
      ['own_a__next', `invalid name of an own table (did you mean "own_a_next"?): ${rule}, got "own_a__next"`],
      [
        'own_x; DROP TABLE t',
        `invalid name of an own table (did you mean "own_x_drop_table_t"?): ${rule}, got "own_x; DROP TABLE t"`,
      ],
      [
        'github_events',
        `invalid name of an own table (did you mean "own_github_events"?): ${rule}, got "github_events"`,
      ],
      ['', `invalid name of an own table: ${rule}, got ""`],
    ] as const;
    for (const [name, message] of names) {
      expect(await messageOf(loadFile(warehouse, 'list.csv', { name }))).to.equal(message);
    }
    await writeTable(warehouse, 'Ελλάδα.csv', 'a\n1\n');
    expect(await messageOf(loadFile(warehouse, 'Ελλάδα.csv'))).to.equal(
      `${pathOf('Ελλάδα.csv')}: no name of a table can be made from this file name. Pass one, such as --name own_countries.`,
    );
  });
});
