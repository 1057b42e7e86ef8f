import { expect } from 'chai';
import { type Endpoint, loadEndpoints } from '../../engine/index.js';
import { BAKERY, definitionOf, endpointOf, inFolder, problemsIn } from './fixtures.js';

const NOW = new Date('2024-05-03T12:34:56.789Z');
const HOSTILE = [
  "' OR 1 = 1 --",
  '"; DROP TABLE loaves; --',
  '\\',
  "\\' OR 1=1",
  '{{ now }}',
  '{% if true %}',
  ':p1',
  '?',
  '$1',
  '/*',
  '#',
  '`',
  'null',
  '%',
  '_',
  "O'Brien",
  'Ω≈ç√',
  '🥖',
  '\u202e',
  '\n',
  '1; SELECT SLEEP(5)',
  'weight DESC',
];

describe('templates', () => {
  const compile = (endpoint: Endpoint, query: Record<string, string | string[]> = {}) =>
    endpoint.query.compile(endpoint.readParameters({ path: {}, query }), NOW);

  it('bind values, and equal expressions with the same marker', async () => {
    const endpoint = await endpointOf(
      definitionOf(
        'SELECT l.id FROM loaves l WHERE l.kind = {{ kind }} OR l.kind LIKE {{ kind | upcase | append: "%" }} OR {{kind}} = {{ size | plus: 2 }}',
        'kind: { in: query, type: string, description: Kind }\nsize: { in: query, type: integer, default: 5, description: Size }',
      ),
    );
    expect(compile(endpoint, { kind: 'rye' })).to.deep.equal({
      sql: 'SELECT l.id FROM loaves l WHERE l.kind = :p1 OR l.kind LIKE :p2 OR :p1 = :p3\nLIMIT 1001',
      values: ['rye', 'RYE%', 7],
    });
    expect(compile(endpoint).values).to.deep.equal([null, null, 7]);
  });

  it('bind the time of the engine as now and its day as today, with their types', async () => {
    const endpoint = await endpointOf(
      definitionOf('SELECT l.id FROM loaves l WHERE l.baked_at < {{ now }} AND l.day IN ({{ today }}, DATE({{now}}));'),
    );
    expect(compile(endpoint)).to.deep.equal({
      sql:
        'SELECT l.id FROM loaves l WHERE l.baked_at < CAST(:p1 AS DATETIME) AND l.day IN (CAST(:p2 AS DATE), ' +
        'DATE(CAST(:p1 AS DATETIME)))\nLIMIT 1001',
      values: ['2024-05-03 12:34:56', '2024-05-03'],
    });
  });

  it('bind the time as a text if a filter changes it', async () => {
    const endpoint = await endpointOf(
      definitionOf('SELECT l.id FROM loaves l WHERE l.kind LIKE {{ today | append: "%" }}'),
    );
    expect(compile(endpoint)).to.deep.equal({
      sql: 'SELECT l.id FROM loaves l WHERE l.kind LIKE :p1\nLIMIT 1001',
      values: ['2024-05-03%'],
    });
  });

  it('write one marker per value of a list', async () => {
    const endpoint = await endpointOf(
      definitionOf(
        'SELECT l.id FROM loaves l WHERE l.id IN ({{ ids }}) AND l.id <> {{ not }}',
        'ids: { in: query, type: array, maxItems: 3, items: { type: integer }, required: true, description: Ids }\nnot_: { in: query, type: integer, default: 0, description: Not }',
      ).replace('{{ not }}', '{{ not_ }}'),
    );
    expect(endpoint.query.texts.map(({ sql }) => sql)).to.deep.equal([
      'SELECT l.id FROM loaves l WHERE l.id IN (:p1) AND l.id <> :p2\nLIMIT 1001',
      'SELECT l.id FROM loaves l WHERE l.id IN (:p1, :p2, :p3) AND l.id <> :p4\nLIMIT 1001',
    ]);
    expect(compile(endpoint, { ids: '4,5' })).to.deep.equal({
      sql: 'SELECT l.id FROM loaves l WHERE l.id IN (:p1, :p2) AND l.id <> :p3\nLIMIT 1001',
      values: [4, 5, 0],
    });
  });

  it('change each value of a list, and count the values', async () => {
    const endpoint = await endpointOf(
      definitionOf(
        'SELECT l.id FROM loaves l WHERE l.kind IN ({{ kinds | downcase | append: "!" }}) OR l.id = {{ kinds | size | plus: 1 }}',
        'kinds: { in: query, type: array, maxItems: 3, items: { type: string }, required: true, description: Kinds }',
      ),
    );
    expect(compile(endpoint, { kinds: 'Rye,WHEAT' })).to.deep.equal({
      sql: 'SELECT l.id FROM loaves l WHERE l.kind IN (:p1, :p2) OR l.id = :p3\nLIMIT 1001',
      values: ['rye!', 'wheat!', 3],
    });
  });

  it('test whether an optional list is present, and use it only then', async () => {
    const endpoint = await endpointOf(
      definitionOf(
        'SELECT l.id FROM loaves l WHERE 1 = 1 {% if loafIds %}AND l.id IN ({{ loafIds }}){% else %}AND l.id > 7{% endif %}',
        'loafIds: { in: query, type: array, maxItems: 2, items: { type: integer }, description: Ids }',
      ),
    );
    expect(endpoint.query.texts).to.deep.equal([
      { choices: { loafIds: true }, sql: 'SELECT l.id FROM loaves l WHERE 1 = 1 AND l.id IN (:p1)\nLIMIT 1001' },
      { choices: { loafIds: true }, sql: 'SELECT l.id FROM loaves l WHERE 1 = 1 AND l.id IN (:p1, :p2)\nLIMIT 1001' },
      { choices: { loafIds: null }, sql: 'SELECT l.id FROM loaves l WHERE 1 = 1 AND l.id > 7\nLIMIT 1001' },
    ]);
    expect(compile(endpoint, { loafIds: '4,5' }).values).to.deep.equal([4, 5]);
    expect(compile(endpoint)).to.deep.equal({
      sql: 'SELECT l.id FROM loaves l WHERE 1 = 1 AND l.id > 7\nLIMIT 1001',
      values: [],
    });
    // An empty text could be an empty list or a list with an empty text, so it is rejected.
    expect(() => compile(endpoint, { loafIds: '' })).to.throw(
      'loafIds must be 1 to 2 values separated by commas, each an integer from -9007199254740991 to 9007199254740991, got ""',
    );
  });

  it('have one variant for all values of an enum that no condition mentions', async () => {
    const endpoint = await endpointOf(
      definitionOf(
        "SELECT l.id FROM loaves l\n{% if kind != 'all' %}WHERE l.kind = {{ kind }}{% endif %}",
        'kind: { in: query, enum: [all, rye, wheat, spelt], default: all, description: Kind }',
      ),
    );
    expect(endpoint.query.texts).to.deep.equal([
      { choices: { kind: 'all' }, sql: 'SELECT l.id FROM loaves l\nLIMIT 1001' },
      { choices: { kind: 'rye' }, sql: 'SELECT l.id FROM loaves l\nWHERE l.kind = :p1\nLIMIT 1001' },
    ]);
    expect(compile(endpoint, { kind: 'spelt' }).values).to.deep.equal(['spelt']);
  });

  it('select fragments with if, elsif, unless, case, and, or, not', async () => {
    const endpoint = await endpointOf(
      definitionOf(
        `SELECT
  {%- if a and b == 2 %} 1 {% elsif a or b != 3 %} 2 {% else %} 3 {% endif -%} AS id
FROM loaves l WHERE {% unless a %}1 = 1{% else %}2 = 2{% endunless %}
{%- case c %}{% when nil %} AND 0 = 0{% when 1, 2 %} AND 1 = 1{% else %} AND 3 = 3{% endcase %}{% if not c %} AND 9 = 9{% endif %}`,
        'a: { in: query, type: boolean, default: false, description: A }\nb: { in: query, enum: [1, 2, 3], default: 1, description: B }\nc: { in: query, enum: [1, 2, 3], description: C }',
      ),
    );
    const sql = (query: Record<string, string>) => compile(endpoint, query).sql.replace(/\s+/g, ' ');
    expect([
      sql({}),
      sql({ a: 'true', b: '2', c: '2' }),
      sql({ a: 'true', c: '3' }),
      sql({ b: '3', c: '1' }),
    ]).to.deep.equal([
      'SELECT 2 AS id FROM loaves l WHERE 1 = 1 AND 0 = 0 AND 9 = 9 LIMIT 1001',
      'SELECT 1 AS id FROM loaves l WHERE 2 = 2 AND 1 = 1 LIMIT 1001',
      'SELECT 2 AS id FROM loaves l WHERE 2 = 2 AND 3 = 3 LIMIT 1001',
      'SELECT 3 AS id FROM loaves l WHERE 1 = 1 AND 1 = 1 LIMIT 1001',
    ]);
  });

  it('keep a LIMIT of the author', async () => {
    const endpoint = await endpointOf(definitionOf('SELECT l.id FROM loaves l LIMIT 3'));
    expect(compile(endpoint)).to.deep.equal({ sql: 'SELECT l.id FROM loaves l LIMIT 3', values: [] });
  });

  it('bind variables of the environment, whose values are part of the endpoint', async () => {
    const load = (sql: string, environment: Record<string, string | undefined>) =>
      inFolder({ 'one.yaml': definitionOf(sql) }, (folder) => loadEndpoints(folder, { environment }));
    const sql = 'SELECT l.id FROM loaves l WHERE l.region = {{ env.REGION | upcase }} OR l.region = {{ env.REGION }}';
    const [eu, us] = [await load(sql, { REGION: 'eu' }), await load(sql, { REGION: "' OR 1 = 1" })];
    expect(eu.endpoints.map((endpoint) => compile(endpoint))).to.deep.equal([
      { sql: 'SELECT l.id FROM loaves l WHERE l.region = :p1 OR l.region = :p2\nLIMIT 1001', values: ['EU', 'eu'] },
    ]);
    expect(us.endpoints.map((endpoint) => compile(endpoint).values)).to.deep.equal([["' OR 1 = 1", "' OR 1 = 1"]]);
    expect(eu.endpoints[0]?.contentHash).not.to.equal(us.endpoints[0]?.contentHash);
    const messages = async (text: string, environment = {}) =>
      (await load(text, environment)).problems.map(({ message }) => message);
    expect(await messages(sql, { REGION: undefined })).to.deep.equal([
      ...Array(2).fill('the variable REGION of the environment has no value: set it, or write it into .env'),
    ]);
    expect(await messages('SELECT {{ env.REGON }} AS id FROM loaves', { REGION: 'eu' })).to.deep.equal([
      'the variable REGON of the environment is not allowed: list it in env of api.yaml (did you mean "REGION"?)',
    ]);
    expect(await messages('SELECT {{ env.constructor }} AS id FROM loaves')).to.deep.equal([
      'the variable constructor of the environment is not allowed: list it in env of api.yaml',
    ]);
    expect(await messages('SELECT {{ env.A.B }} AS id FROM loaves', { A: 'eu' })).to.deep.equal([
      '{{ }} binds one parameter: {{ name }} or {{ name | filter }}',
    ]);
    expect(await messages('SELECT 1 AS id {% if env.A %}FROM loaves{% endif %}', { A: 'eu' })).to.deep.equal([
      'env.A is not allowed in a condition',
    ]);
  });

  it('accept WITH, UNION, parentheses and comments', async () => {
    const endpoint = await endpointOf(
      definitionOf('WITH x AS (SELECT 1 AS id LIMIT 1)\n(SELECT x.id FROM x) UNION ALL SELECT 2 -- ; {no more}'),
    );
    expect(compile(endpoint).sql).to.equal(
      'WITH x AS (SELECT 1 AS id LIMIT 1)\n(SELECT x.id FROM x) UNION ALL SELECT 2 -- ; {no more}\nLIMIT 1001',
    );
  });

  it('never write caller input into the SQL', async () => {
    const { endpoints } = await loadEndpoints(BAKERY);
    const loaves = endpoints.find(({ definition }) => definition.name === 'list-loaves');
    if (loaves === undefined) throw new Error('the bakery has no list-loaves');
    const known = new Set(loaves.query.texts.map(({ sql }) => sql));
    for (const text of HOSTILE) {
      const { sql, values } = compile(loaves, { oven: text, kinds: [text.replaceAll(',', '')] });
      expect(known.has(sql), sql).to.equal(true);
      expect(values.slice(0, 2)).to.deep.equal([text.toLowerCase(), text]);
    }
    const lengths = ['a', 'a,b', 'a,b,c', 'a,b,c,d'].map((kinds) => compile(loaves, { oven: 'x', kinds }).sql);
    const others = ["'", ';,--', '?,?,?', '{{,}},{%,%}'].map((kinds) => compile(loaves, { oven: '"', kinds }).sql);
    expect(others).to.deep.equal(lengths);
  });

  it('cache a limited number of texts for unusual list lengths, and write the others correctly', async () => {
    const endpoint = await endpointOf(
      definitionOf(
        'SELECT l.id FROM loaves l WHERE l.id IN ({{ a }}) OR l.id IN ({{ b }})',
        ['a', 'b']
          .map(
            (name) =>
              `${name}: { in: query, type: array, maxItems: 40, default: [1], items: { type: integer }, description: X }`,
          )
          .join('\n'),
      ),
    );
    const list = (length: number) => Array.from({ length }, (_, index) => `${index}`).join(',');
    for (let a = 1; a <= 40; a += 1) {
      for (let b = 1; b <= 40; b += 1) {
        const { sql, values } = compile(endpoint, { a: list(a), b: list(b) });
        expect(values).to.have.length(a + b);
        expect(sql.match(/:p\d+/g)).to.have.length(a + b);
      }
    }
  });

  it('of metadata queries are checked like the main query', async () => {
    const definition = definitionOf(
      'SELECT l.id FROM loaves l',
      '',
      'data_as_of: SELECT NOW() AS t\nnotices:\n  - { when: always, sql: "SELECT {{ oven }} AS notice" }\n  - { when: empty, sql: "SELECT 1 AS hint" }',
    );
    expect(await problemsIn({ 'x.yaml': definition })).to.deep.equal([
      'x.yaml:5:20 data_as_of: NOW reads the clock of the database: use {{ now }}, the clock of the service in UTC',
      'x.yaml:7:37 notices.0.sql: oven is not a parameter of this SQL',
      'x.yaml:8:26 notices.1.sql: the SELECT returns the wrong columns: expected notice, got hint',
    ]);
  });
});
