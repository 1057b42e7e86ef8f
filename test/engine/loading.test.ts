import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { DATA_TYPES, endpointSchema, formatProblem, loadEndpoints } from '../../engine/index.js';
import type { PrivateData } from '../../engine/sql/reading/private-data.js';
import { BAKERY, definitionOf, endpointOf, inFolder, problemsIn } from './fixtures.js';

const VALID = definitionOf('SELECT l.id FROM loaves l');

describe('loading definitions', () => {
  it('reads YAML and JSON in the order of their names', async () => {
    const { endpoints, problems } = await loadEndpoints(BAKERY);
    expect(problems.map(formatProblem)).to.deep.equal([]);
    expect(endpoints.map(({ definition }) => definition.name)).to.deep.equal(['count-loaves', 'list-loaves']);
  });

  it('checks a file once per process, until it or the private data change', async () => {
    const other = VALID.replace('name: toy', 'name: other').replace('/toy/', '/other/');
    await inFolder({ 'other.yaml': other, 'toy.yaml': VALID }, async (folder) => {
      const load = async (privateData?: PrivateData) => (await loadEndpoints(folder, { privateData })).endpoints;
      const first = await load();
      expect(first.map(({ definition }) => definition.name)).to.deep.equal(['other', 'toy']);
      writeFileSync(join(folder, 'toy.yaml'), VALID.replace('SELECT l.id', 'SELECT l.id + 1 AS id'));
      const second = await load();
      expect(second.map((endpoint, index) => endpoint === first[index])).to.deep.equal([true, false]);
      const isPrivateTable = (table: string) => table === 'loaves';
      expect(await load({ isPrivateTable, columns: {} })).to.deep.equal([]);
    });
  });

  it('reports a pipe instead of waiting for its text', async () => {
    const problems = await inFolder({ 'toy.yaml': VALID }, async (folder) => {
      execFileSync('mkfifo', [join(folder, 'pipe.yaml')]);
      return (await loadEndpoints(folder)).problems;
    });
    expect(problems.map(({ message }) => message)).to.deep.equal(['this is not a regular file']);
  });

  it('applies defaults', async () => {
    const { definition } = await endpointOf(
      definitionOf(
        'SELECT l.id FROM loaves l WHERE l.kind = {{ kind }} AND l.id = {{ size }}',
        'kind: { in: query, enum: [rye, wheat], description: Kind }\nsize: { in: query, enum: [1, 2], description: Size }',
      ),
    );
    expect(definition).to.deep.equal({
      name: 'toy',
      summary: 'A toy',
      questions: [],
      tags: [],
      overrides: false,
      lint: {},
      params: {
        kind: { in: 'query', type: 'string', enum: ['rye', 'wheat'], description: 'Kind' },
        size: { in: 'query', type: 'integer', enum: [1, 2], description: 'Size' },
      },
      columns: [{ col: 'id', data_type: 'BIGINT', nullable: true, description: 'Number' }],
      sql: 'SELECT l.id FROM loaves l WHERE l.kind = {{ kind }} AND l.id = {{ size }}\n',
      limits: { rows: 1000, timeoutMs: 10_000 },
      serveStaleMs: 0,
      notices: [],
      examples: [],
      fixtures: [],
    });
  });

  it('reads how long answers are valid', async () => {
    const more = 'cache: { ttl: 24h }\nserve_stale: 1500ms';
    const { definition, expanded } = await endpointOf(definitionOf('SELECT 1 AS id', '', more));
    expect(definition).to.include({ cacheTtlMs: 86_400_000, serveStaleMs: 1500 });
    expect(definition).to.not.have.any.keys('cache', 'serve_stale');
    expect(expanded).to.deep.include({ cache: { ttl: '24h' }, serve_stale: '1500ms' });
  });

  it('reports problems of a file as a whole', async () => {
    const bytes = (text: string, byte: number) => Uint8Array.from([...new TextEncoder().encode(text), byte]);
    expect(
      await problemsIn({
        'a-empty.yaml': '',
        'b-comment.yaml': '# nothing\n',
        'c-list.yaml': '- a\n',
        'd-text.yaml': 'only text\n',
        'e-two.yaml': `${VALID}---\n${VALID}`,
        'f-latin1.yaml': bytes('summary: Caf', 0xe9),
        'g-binary.yaml': bytes('summary: x', 0),
        'h-huge.yaml': `${VALID}# ${'x'.repeat(1_000_000)}`,
        'i.json': '{ "name": "x", }',
        'j-comment.json': '{}  // no',
      }),
    ).to.deep.equal([
      'a-empty.yaml:1:1 the file is empty',
      'b-comment.yaml:1:1 the file is empty',
      'c-list.yaml:1:1 a definition must be a mapping (got a list)',
      'd-text.yaml:1:1 a definition must be a mapping (got "only text")',
      'e-two.yaml:1:1 the file must contain one definition, it contains several YAML documents',
      'f-latin1.yaml:1:1 the file is not UTF-8: save it as UTF-8',
      'g-binary.yaml:1:1 the file is not text (expected YAML or JSON in UTF-8)',
      `h-huge.yaml:1:1 the file is too large for a definition (expected at most 1000000 bytes, got ${VALID.length + 1_000_002})`,
      'i.json:1:16 not JSON: Expected double-quoted property name in JSON at position 15',
      'j-comment.json:1:5 not JSON: Unexpected non-whitespace character after JSON at position 4',
    ]);
  });

  it('reports tags and conditions that are too deep or too long, and loads the other files', async () => {
    const flag = 'a: { in: query, type: boolean, default: false, description: A }';
    const of = (name: string, sql: string) => definitionOf(sql, flag).replace('toy', name);
    const nested = (levels: number) =>
      `SELECT 1 ${'{% if a %}'.repeat(levels)}+ 1${'{% endif %}'.repeat(levels)} AS id`;
    const when = (condition: string) => `SELECT {% if ${condition} %}1{% else %}2{% endif %} AS id`;
    const problems = await problemsIn({
      'ands.yaml': of('ands', when(Array(20_000).fill('a').join(' and '))),
      'ifs.yaml': of('ifs', nested(1_500)),
      'most-ors.yaml': of('most-ors', when(Array(50).fill('a').join(' or '))),
      'most-ifs.yaml': of('most-ifs', nested(32)),
      'nots.yaml': of('nots', when(`${'not '.repeat(14_000)}a`)),
      'a-sum.yaml': of('sum', `SELECT ${'1+'.repeat(20_000)}{% if a %}1{% else %}2{% endif %} AS id`),
    });
    expect(problems).to.deep.equal([
      'a-sum.yaml:8:3 sql: not SQL: the text is too long or nested too deeply',
      'ands.yaml:8:10 sql: the condition is too long (expected at most 100 values and operators)',
      'ifs.yaml:8:332 sql: the tags are nested too deeply (expected at most 32 levels)',
      'nots.yaml:8:10 sql: the condition is too long (expected at most 100 values and operators)',
    ]);
  });

  it('reports every problem of a file', async () => {
    const wrong = VALID.replace('summary: A toy', 'colour: red\nsize: 3').replace('FROM loaves', 'FORM loaves');
    expect(
      (await problemsIn({ 'x.yaml': wrong })).map((problem) => problem.split(' ').slice(0, 4).join(' ')),
    ).to.deep.equal([
      'x.yaml:1:1 the key "summary"',
      'x.yaml:2:1 colour: unknown key',
      'x.yaml:3:1 size: unknown key',
      'x.yaml:7:20 sql: not SQL:',
    ]);
  });

  it('checks the SQL although a parameter has an unknown key, if its type is known', async () => {
    const params = (word: string) => `kind: { in: query, ${word}, description: Kind }`;
    const wrong = (word: string) =>
      definitionOf('SELECT l.id FROM loaves l WHERE WHERE l.kind = {{ kind }}', params(word));
    const problems = await problemsIn({
      'clear.yaml': wrong('type: string, maxlength: 3').replace('toy', 'one'),
      'unclear.yaml': wrong('typ: string').replace('toy', 'two'),
    });
    expect(problems).to.deep.equal([
      'clear.yaml:4:36 params.kind.maxlength: unknown key (did you mean "maxLength"?)',
      'clear.yaml:8:35 sql: not SQL: "WHERE" is unexpected here',
      'unclear.yaml:4:22 params.kind.typ: unknown key (did you mean "type"?)',
    ]);
  });

  it('rejects a name or a route that another file uses', async () => {
    const routed = (name: string, path: string) =>
      VALID.replace('name: toy', `name: ${name}\npath: ${path}`)
        .replace('columns:', 'params:\n  x: { in: path, type: string, description: X }\ncolumns:')
        .replace('loaves l', 'loaves l WHERE l.kind = {{ x }}');
    expect(
      await problemsIn({
        'a.yaml': routed('one', '/v1/a/{x}/'),
        'b.yaml': routed('two', '/v1/a/{y}').replace('  x: {', '  y: {').replace('{{ x }}', '{{ y }}'),
        'c.yaml': routed('one', '/v1/c/{x}/'),
        'd.yaml': routed('four', '/v1/a/b/{x}/'),
      }),
    ).to.deep.equal([
      'b.yaml:2:7 path: /v1/a/{y} matches the same URLs as the path of a.yaml: choose another path',
      'c.yaml:1:7 name: the name "one" is already used by a.yaml: choose another name',
    ]);
  });

  it('reports the position of wrong SQL in every style of YAML', async () => {
    const head = (name: string) => VALID.slice(0, VALID.indexOf('sql:')).replace('toy', name);
    const json = JSON.stringify({
      name: 'five',
      summary: 'x',
      columns: [{ col: 'id', data_type: 'INT', nullable: true, description: 'x' }],
      sql: "SELECT id\nFROM t WHERE 'é' WHERE 1",
    });
    const problems = await problemsIn({
      'folded.yaml': `${head('one')}sql: >-\n    SELECT l.id\n    FROM loaves l\n    WHERE WHERE 1\n`,
      'plain.yaml': `${head('two')}sql: SELECT l.id FROM loaves l\n  WHERE WHERE 1\n`,
      'quoted.yaml': `${head('three')}sql: "SELECT l.id /* \\u00e9\\x41 */ FROM \\"loaves\\" l\\\n  \\nWHERE WHERE 1"\n`,
      'single.yaml': `${head('four')}sql: 'SELECT l.id FROM loaves l WHERE l.kind = ''rye'' WHERE 1'\n`,
      'x.json': json,
    });
    expect(problems.map((problem) => problem.replace(/ sql:.*/, ''))).to.deep.equal([
      'folded.yaml:8:11',
      'plain.yaml:6:9',
      'quoted.yaml:6:11',
      'single.yaml:5:56',
      `x.json:1:${json.indexOf('WHERE 1') + 1}`,
    ]);
  });

  it('follows links, ends in cycles of links, and skips hidden names', async () => {
    await inFolder({}, async (folder) => {
      mkdirSync(join(folder, 'real'));
      mkdirSync(join(folder, '.hidden'));
      writeFileSync(join(folder, 'real', 'a.yaml'), VALID);
      writeFileSync(join(folder, '.hidden', 'b.yaml'), VALID.replace('toy', 'hidden'));
      writeFileSync(join(folder, 'notes.txt'), 'not read');
      symlinkSync(folder, join(folder, 'real', 'up'));
      symlinkSync(join(folder, '.hidden', 'b.yaml'), join(folder, 'linked.yaml'));
      symlinkSync(join(folder, 'gone'), join(folder, 'broken.yaml'));
      const { endpoints, problems } = await loadEndpoints(folder);
      expect(endpoints.map(({ file }) => file)).to.deep.equal([
        join(folder, 'linked.yaml'),
        join(folder, 'real', 'a.yaml'),
      ]);
      expect(problems.map(({ file, message }) => [file, message.split(':')[0]])).to.deep.equal([
        [join(folder, 'broken.yaml'), 'the file cannot be read'],
      ]);
    });
  });

  it('reports a directory that is missing or contains no definition', async () => {
    await inFolder({}, async (folder) => {
      expect((await loadEndpoints(join(folder, 'gone'))).problems[0]?.message).to.match(
        /^the directory cannot be read: ENOENT/,
      );
      expect((await loadEndpoints(folder)).problems).to.deep.equal([
        {
          file: folder,
          line: 1,
          column: 1,
          key: '',
          message: 'no definition file (.yaml, .yml or .json) in this directory',
        },
      ]);
    });
  });

  it('has the same data types in code and schema', () => {
    const { definitions } = endpointSchema as {
      definitions: { column: { properties: { data_type: { enum: string[] } } } };
    };
    expect(definitions.column.properties.data_type.enum).to.deep.equal([...DATA_TYPES]);
  });
});
