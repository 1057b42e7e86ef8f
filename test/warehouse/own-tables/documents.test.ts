import { expect } from 'chai';
import { chooseTableName, isOwnTableName } from '../../../warehouse/own-tables/own-table-name.js';
import { parseTableDocument } from '../../../warehouse/own-tables/table-document.js';
import { PRIVATE_DATA } from '../../../warehouse/rules/private-data.js';
import { readMigrations } from '../../../warehouse/schema/migrations.js';
import { TableFit } from '../../../warehouse/schema/table-fit.js';
import { messageOf } from './own-files.js';

const parse = async (text: string) => parseTableDocument('own.table.yaml', text);

describe('the documentation of an own table', () => {
  it('is read with its columns in their order', async () => {
    const text = `description: Plans.
columns:
  b: { type: "DECIMAL(5, 2)", description: Price., unit: EUR }
  a: { type: VARCHAR(40), description: Plan. }
key: [a]
`;
    const document = await parse(text);
    expect(document).to.deep.equal({
      description: 'Plans.',
      columns: {
        b: { type: 'DECIMAL(5, 2)', description: 'Price.', unit: 'EUR' },
        a: { type: 'VARCHAR(40)', description: 'Plan.' },
      },
      key: ['a'],
    });
    expect(Object.keys(document.columns)).to.deep.equal(['b', 'a']);
  });

  it('is rejected with all problems and their places', async () => {
    const text = `descriptoin: Plans.
columns:
  Name: { type: TEXT, description: Name. }
  price: { type: MONEY, description: Price. }
  size: { type: INT }
`;
    expect(await messageOf(parse(text))).to.equal(
      [
        'own.table.yaml:1:1 the key "description" is missing',
        'own.table.yaml:1:14 descriptoin: unknown key',
        'own.table.yaml:3:9 columns.Name: invalid name of a column (expected at most 64 small letters, digits and _, ' +
          'the first a letter, got "Name")',
        'own.table.yaml:4:18 columns.price.type: unknown type (expected BOOLEAN, TINYINT, INT, BIGINT, DOUBLE, ' +
          'DECIMAL(p,s), VARCHAR(n), TEXT, DATE or DATETIME, got "MONEY")',
        'own.table.yaml:5:9 columns.size: the key "description" is missing',
      ].join('\n'),
    );
  });

  const columns = (text: string) => `description: Plans.\ncolumns:\n${text}`;
  const rejected: readonly (readonly [title: string, text: string, message: RegExp])[] = [
    ['YAML with a mistake', 'description: [', /^own\.table\.yaml:\d+:\d+ not valid YAML: /],
    ['a list', '- a', /^own\.table\.yaml:1:1 invalid value \(expected a mapping, got a list/],
    [
      'a reserved word',
      columns('  rank: { type: INT, description: Rank. }\n'),
      /3:9 columns\.rank: rank is a reserved word of SQL/,
    ],
    [
      'a size out of range',
      columns('  a: { type: VARCHAR(99999), description: A. }\n'),
      /3:14 columns\.a\.type: the size of the type is out of range/,
    ],
    [
      'more decimals than digits',
      columns('  a: { type: "DECIMAL(3,4)", description: A. }\n'),
      /3:15 columns\.a\.type: the size of the type is out of range/,
    ],
    [
      'columns that are too long for a row of a server',
      columns('  a: { type: VARCHAR(9000), description: A. }\n  b: { type: VARCHAR(9000), description: B. }\n'),
      /columns: the columns are too long for a server; use TEXT \(expected .*, got 72004 bytes\)/,
    ],
    [
      'an unknown column in the key',
      columns('  name: { type: INT, description: A. }\nkey: [nam]\n'),
      /key\.0: unknown column nam \(did you mean "name"\?\)/,
    ],
    [
      'a nullable column in the key',
      columns('  a: { type: INT, description: A., nullable: true }\nkey: [a]\n'),
      /key\.0: a is nullable/,
    ],
    [
      'a TEXT in the key',
      columns('  a: { type: TEXT, description: A. }\nkey: [a]\n'),
      /key\.0: a is TEXT, which cannot be in a key/,
    ],
    [
      'a key that is too long',
      columns('  a: { type: VARCHAR(800), description: A. }\nkey: [a]\n'),
      /key: the key is too long .* got 3200 bytes/,
    ],
    [
      'an inherited name in the key',
      columns('  a: { type: INT, description: A. }\nkey: [constructor]\n'),
      /key\.0: unknown column constructor/,
    ],
  ];
  for (const [title, text, message] of rejected) {
    it(`is rejected with ${title}`, async () => {
      expect(await messageOf(parse(text))).to.match(message);
    });
  }
});

describe('the name of an own table', () => {
  it('comes from the name of the file', () => {
    const files = ['countries.csv', '/tmp/My Countries 2.parquet', 'own_teams.csv', 'a.b.csv'];
    expect(files.map((file) => chooseTableName(file, undefined))).to.deep.equal([
      'own_countries',
      'own_my_countries_2',
      'own_teams',
      'own_a_b',
    ]);
  });

  it('is never that of a table of this program or of a private one', async () => {
    const statements = (await readMigrations()).flatMap((step) => step.statements);
    const { tables } = new TableFit(statements);
    expect(tables.filter((table) => table.startsWith('own_'))).to.deep.equal([]);
    expect(tables.filter(isOwnTableName)).to.deep.equal([]);
    expect(PRIVATE_DATA.isPrivateTable('own_x')).to.equal(false);
    expect(PRIVATE_DATA.isPrivateTable('sys_own_tables')).to.equal(true);
  });
});
