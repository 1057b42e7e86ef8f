import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { dump, load } from 'js-yaml';
import { formatDefinitionText } from '../../engine/authoring/index.js';
import { loadEndpoints } from '../../engine/index.js';
import { BAKERY } from './fixtures.js';

const WRITTEN = `# yaml-language-server: $schema=../schemas/endpoint.schema.json
# Loaves.

summary: Loaves of an oven   # in one line
name:   list-loaves
description: The loaves of an oven, the heaviest first, with their kinds and weights. A loaf without a weight comes last, after all the others.
questions: [ which loaves are in the oven {oven},
   list the loaves ]

params:
    # before oven
    oven: {type: string,   in: path, description: "Name"  } # after oven

    kind: # on kind
      # inside kind
      description: Kind of the loaf, in the words of the baker who made it
      in: query
      enum:
       - rye # the dark one
       - spelt
      # end of kind
    colour: { in: query, enum: [white, beige, light brown, brown, dark brown, black, grey, golden, amber, red, green, yellow], description: Colour }
columns:
  # the first one
  - nullable: false
    col: id
    description: Number, also [old] ones
    data_type: BIGINT
  - { scale: 2, col: weight, data_type: DECIMAL, nullable: true, description: 'It is the weight of the loaf in kilograms after it has cooled for one hour on the shelf, rounded' }
  # after the columns
examples: [{ params: {}, name: all }]
sql: |
     SELECT id,   weight   
       -- the shelf   
     FROM loaves WHERE name <> 'a  
     b'
     ${'   '}
data_as_of: >-
  SELECT MAX(baked_at) FROM loaves
# the end
`;

const FORMATTED = `# yaml-language-server: $schema=../schemas/endpoint.schema.json
# Loaves.

name: list-loaves
summary: Loaves of an oven # in one line
description: >-
  The loaves of an oven, the heaviest first, with their kinds and weights. A loaf without a weight comes last, after all
  the others.
questions: [which loaves are in the oven {oven}, list the loaves]

params:
  # before oven
  oven: { in: path, type: string, description: "Name" } # after oven

  kind:
    # on kind
    # inside kind
    in: query
    enum:
      - rye # the dark one
      - spelt
    description: Kind of the loaf, in the words of the baker who made it
    # end of kind
  colour:
    in: query
    enum: [white, beige, light brown, brown, dark brown, black, grey, golden, amber, red, green, yellow]
    description: Colour
columns:
  # the first one
  - { col: id, data_type: BIGINT, nullable: false, description: 'Number, also [old] ones' }
  - { col: weight, data_type: DECIMAL, scale: 2, nullable: true, description: 'It is the weight of the loaf in kilograms after it has cooled for one hour on the shelf, rounded' }
  # after the columns
sql: |
  SELECT id,   weight
    -- the shelf
  FROM loaves WHERE name <> 'a  
  b'
data_as_of: SELECT MAX(baked_at) FROM loaves
examples: [{ name: all, params: {} }]
# the end
`;

/** Returns SQL without trailing spaces on lines and without empty lines at its end. */
function trim(sql: string): string {
  return sql.replaceAll(/[ \t]+$/gm, '').replace(/\n+$/, '\n');
}

describe('the format of definition files', () => {
  const format = async (file: string, text: string) => {
    const formatted = await formatDefinitionText(file, text);
    return 'text' in formatted ? formatted.text : formatted.problem.message;
  };

  it('orders keys and keeps comments, spellings and the lines of SQL', async () => {
    const written = WRITTEN.replace('{oven},', "of an oven',").replace('[ which', "[ 'which");
    const expected = FORMATTED.replace('{oven},', "of an oven',").replace('[which', "['which");
    expect(await format('loaves.yaml', written)).to.equal(expected);
    expect(await format('loaves.yaml', expected)).to.equal(expected);
  });

  it('is the same for every spelling of the bakery, and keeps its values', async () => {
    const { endpoints } = await loadEndpoints(BAKERY);
    expect(endpoints).to.have.length.at.least(2);
    for (const { file } of endpoints.filter((endpoint) => endpoint.file.endsWith('.yaml'))) {
      const value = load(await readFile(file, 'utf8'));
      for (const flowLevel of [-1, 1, 2, 3]) {
        for (const options of [{ indent: 4 }, { lineWidth: 40 }, { forceQuotes: true }]) {
          const text = await format(file, dump(value, { flowLevel, ...options }));
          expect(load(text), `${file} ${flowLevel}`).to.deep.equal(value);
          expect(await format(file, text), `${file} ${flowLevel}`).to.equal(text);
        }
      }
    }
  });

  it('of shared parts orders the keys of their parts', async () => {
    const text = `views: { people: SELECT 1 }
columns:
  loaf:
    - { data_type: BIGINT, col: id, nullable: false, description: Id }
params: { oven: { description: Name, type: string, in: path } }
`;
    expect(
      await format('ovens.shared.yaml', text),
    ).to.equal(`params: { oven: { in: path, type: string, description: Name } }
columns:
  loaf:
    - { col: id, data_type: BIGINT, nullable: false, description: Id }
views: { people: SELECT 1 }
`);
  });

  it('of JSON has two spaces and the order of keys', async () => {
    expect(
      await format(
        'a.json',
        '{"sql":"SELECT 1 AS a","name":"a","$schema":"x","columns":[{"nullable":true,"col":"a"}]}',
      ),
    ).to.equal(`{
  "$schema": "x",
  "name": "a",
  "columns": [
    {
      "col": "a",
      "nullable": true
    }
  ],
  "sql": "SELECT 1 AS a"
}
`);
  });

  it('keeps texts that a simple format would change', async () => {
    const texts = [
      'a: b',
      "it's",
      ' x',
      'x ',
      'a  b',
      '#x',
      'true',
      '7',
      '2020-01-01',
      'a\n\nb',
      'a\n',
      '\n',
      '  a\nb\n',
      'a\tb',
      'a \nb',
      '🥖',
      '- a',
      '{a}',
      '',
      'null',
      '%',
      '@',
      'a\n\n\n',
      `${'word '.repeat(60)}end`,
      '\u00a0',
      '\u2028',
      'y',
      '0x1f',
      '1e3',
      'a #b',
      'é: ü',
    ];
    for (const text of texts) {
      const value = {
        name: 'a',
        summary: text,
        description: text,
        tags: [text, text],
        sql: text,
        columns: [{ col: text, description: text }],
      };
      for (const source of [JSON.stringify(value), dump(value), dump(value, { flowLevel: 1 })]) {
        const formatted = await format('a.yaml', source);
        const { sql, ...others } = load(formatted) as typeof value;
        expect({ ...others, sql: trim(sql) }, formatted).to.deep.equal({ ...value, sql: trim(text) });
        expect(await format('a.yaml', formatted), JSON.stringify(text)).to.equal(formatted);
      }
    }
  });

  it('of a file that cannot be read is a problem with its place', async () => {
    const result = await formatDefinitionText(join('a', 'b.yaml'), 'name: a\n  b: c\n');
    expect('problem' in result && [result.problem.file, result.problem.line]).to.deep.equal(['a/b.yaml', 2]);
  });
});
