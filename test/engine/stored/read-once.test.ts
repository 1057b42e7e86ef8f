import { expect } from 'chai';
import {
  type Answer,
  createEngine,
  type Database,
  type Endpoint,
  PATIENT_METADATA_TIMEOUT_MS,
} from '../../../engine/index.js';
import { definitionOf, endpointOf, problemsIn } from '../fixtures.js';
import { openToyDatabase, type ToyDatabase } from '../toy-database.js';
import { ToyVersions } from './toy-versions.js';

const TABLES = `
  CREATE TABLE stoves (id BIGINT, name VARCHAR);
  CREATE TABLE tins (id BIGINT, stove_id BIGINT);
  INSERT INTO stoves VALUES (7, 'stone'), (8, 'steel'), (9, 'twin'), (9, 'twin');
  INSERT INTO tins VALUES (1, 7), (2, 7), (3, 8);
`;
const STOVE = '({% once %}SELECT s.id FROM stoves s WHERE s.name = {{ name }}{% endonce %})';
const PARAMETERS = 'name: { in: query, type: string, required: true, description: Name of the stove }';
const DEFINITION = definitionOf(
  `SELECT t.id FROM tins t WHERE t.stove_id = ${STOVE} ORDER BY t.id`,
  PARAMETERS,
  [
    'notices:',
    `  - { when: always, sql: "SELECT CONCAT('tins: ', COUNT(*)) AS notice FROM tins t WHERE t.stove_id = ${STOVE}" }`,
    `  - { when: empty, sql: "SELECT 'unknown stove' AS notice FROM (SELECT ${STOVE} AS id) u WHERE u.id IS NULL" }`,
  ].join('\n'),
);

describe('a value that is read once', () => {
  let toy: ToyDatabase;
  let endpoint: Endpoint;
  let versions: ToyVersions;
  let read: string[];

  beforeEach(async () => {
    endpoint = await endpointOf(DEFINITION);
    toy = await openToyDatabase(TABLES);
    versions = new ToyVersions('stoves', 'tins');
    read = [];
  });
  afterEach(() => toy.close());

  const engineOf = (parts: object = { versions }) => {
    const query: Database['query'] = (prepared, ...rest) => {
      read.push(prepared.sql);
      return toy.query(prepared, ...rest);
    };
    return createEngine({
      endpoints: [endpoint],
      database: { ...toy, query },
      stopwatch: () => 0,
      metadataTimeoutMs: PATIENT_METADATA_TIMEOUT_MS,
      ...parts,
    });
  };
  const ask = async (engine: ReturnType<typeof engineOf>, name: string) =>
    factsOf(await engine.run(endpoint, { path: {}, query: { name } }));
  const lookups = () => read.filter((sql) => sql.startsWith('SELECT s.id')).length;
  const withSelect = () => read.filter((sql) => sql.includes('(SELECT s.id')).length;

  it('is read before the other queries, which bind it, and again after a change of its table', async () => {
    const engine = engineOf();
    const stone = { ids: [1, 2], notices: ['tins: 2'], emptyNotices: [] };
    expect(await ask(engine, 'stone')).to.deep.equal(stone);
    expect([lookups(), withSelect(), read.length]).to.deep.equal([1, 0, 3]);
    expect(await ask(engine, 'stone')).to.deep.equal(stone);
    expect([lookups(), withSelect()]).to.deep.equal([1, 0]);
    await versions.write(['stoves'], () => toy.execute("UPDATE stoves SET id = 8 WHERE name = 'stone';"));
    expect(await ask(engine, 'stone')).to.deep.equal({ ids: [3], notices: ['tins: 1'], emptyNotices: [] });
    expect([lookups(), withSelect()]).to.deep.equal([2, 0]);
  });

  it('is read once for SELECTs that differ only in their indentation', async () => {
    const stove = (indent: string) => STOVE.replace(' WHERE', `\n${indent}WHERE`);
    const notice = `SELECT CONCAT(COUNT(*), '\n   ') AS notice FROM tins t WHERE t.stove_id = ${stove('        ')}`;
    endpoint = await endpointOf(
      definitionOf(
        `SELECT t.id FROM tins t WHERE t.stove_id = ${stove('')} ORDER BY t.id`,
        PARAMETERS,
        `notices: [{ when: always, sql: ${JSON.stringify(notice)} }]`,
      ),
    );
    expect(await ask(engineOf(), 'stone')).to.deep.equal({ ids: [1, 2], notices: ['2\n   '], emptyNotices: [] });
    expect([lookups(), withSelect()]).to.deep.equal([1, 0]);
  });

  it('keeps the spaces of a text that a tag divides', async () => {
    const select = "SELECT MAX(s.id) FROM stoves s\n   WHERE s.name <> 'p{% if is_wide %}\n   q{% endif %}'";
    endpoint = await endpointOf(
      definitionOf(
        `SELECT t.id FROM tins t WHERE t.id = ({% once %}${select}{% endonce %})`,
        'is_wide: { in: query, type: boolean, default: true, description: Whether the name has two lines }',
      ),
    );
    await engineOf().run(endpoint, { path: {}, query: {} });
    expect(read[0]).to.match(/stoves s\nWHERE s.name <> 'p\n {3}q'/);
  });

  it('is NULL without a row', async () => {
    const engine = engineOf();
    expect(await ask(engine, 'clay')).to.deep.equal({ ids: [], notices: ['tins: 0'], emptyNotices: ['unknown stove'] });
    expect([lookups(), withSelect()]).to.deep.equal([1, 0]);
  });

  it('is a part of each query if its tables have no versions', async () => {
    const engine = engineOf({});
    expect(await ask(engine, 'stone')).to.deep.equal({ ids: [1, 2], notices: ['tins: 2'], emptyNotices: [] });
    expect([lookups(), withSelect()]).to.deep.equal([0, 2]);
  });

  it('is left to the database if it has several rows', async () => {
    const engine = engineOf();
    const failed = await ask(engine, 'twin').catch((error: unknown) => error);
    expect(failed).to.include({ code: 'query_failed' });
    expect(withSelect()).to.be.above(0);
  });

  for (const [type, select] of [
    ['is not a whole number', 'SELECT CAST(s.id AS DOUBLE) FROM stoves s WHERE s.name = {{ name }}'],
    ['is one of two columns', 'SELECT s.* FROM (SELECT id, id AS other FROM stoves WHERE name = {{ name }}) s'],
  ] as const) {
    it(`is left to the database if it ${type}`, async () => {
      const sql = `SELECT t.id FROM tins t WHERE t.stove_id = ({% once %}${select}{% endonce %}) ORDER BY t.id`;
      endpoint = await endpointOf(definitionOf(sql, PARAMETERS));
      await ask(engineOf(), 'stone').catch(() => undefined);
      expect(read.at(-1)).to.include(`(${select.split('{{')[0]}`);
    });
  }

  it('adds no column to rows whose order depends on it', async () => {
    const order = `SELECT t.id FROM tins t WHERE t.id > 0 ORDER BY t.stove_id = ${STOVE}, t.id`;
    endpoint = await endpointOf(definitionOf(order, PARAMETERS, 'pagination: { default: 2, max: 10 }'));
    const { rows } = await engineOf().run(endpoint, { path: {}, query: { name: 'stone' } });
    expect(rows.map((row) => row.map(Number))).to.deep.equal([[3], [1]]);
  });

  it('keeps the LIMIT that the author wrote', async () => {
    endpoint = await endpointOf(
      definitionOf(`SELECT t.id FROM tins t WHERE t.stove_id = ${STOVE} ORDER BY t.id LIMIT 1`, PARAMETERS),
    );
    expect(await ask(engineOf(), 'stone')).to.deep.equal({ ids: [1], notices: [], emptyNotices: [] });
    expect([lookups(), withSelect()]).to.deep.equal([1, 0]);
  });

  it('is shown inside of the SQL of the answer', async () => {
    const { sql } = await engineOf().run(endpoint, { path: {}, query: { name: 'stone' } });
    expect(sql).to.equal(
      'SELECT t.id FROM tins t WHERE t.stove_id = (SELECT s.id FROM stoves s WHERE s.name = :p1) ORDER BY t.id\nLIMIT 1001',
    );
  });

  for (const [mistake, sql, message] of [
    ['is not closed', 'SELECT t.id FROM tins t WHERE t.id = ({% once %}SELECT 1', '{% once %} is not closed'],
    [
      'is inside another one',
      'SELECT ({% once %}SELECT ({% once %}SELECT 1{% endonce %}){% endonce %}) AS id',
      '{% once %} is not allowed inside {% once %}',
    ],
    [
      'is a table',
      'SELECT t.id FROM ({% once %}SELECT 1 AS id{% endonce %}) t',
      '{% once %} is one value: write it alone in parentheses, after =, or as an item of SELECT or CAST',
    ],
    [
      'has two columns',
      'SELECT t.id FROM tins t WHERE (t.id, 1) = ({% once %}SELECT 1, 2{% endonce %})',
      '{% once %} contains no SELECT of one column',
    ],
    [
      'uses a table of the query around it',
      'SELECT t.id FROM tins t WHERE t.stove_id = ({% once %}SELECT MIN(s.id) FROM stoves s WHERE s.id = t.stove_id{% endonce %})',
      '{% once %}: no table of this SELECT has the name or the alias t',
    ],
    [
      'follows NOT IN, where no row is not NULL',
      'SELECT t.id FROM tins t WHERE t.id NOT IN ({% once %}SELECT 1{% endonce %})',
      '{% once %} is one value: write it alone in parentheses, after =, or as an item of SELECT or CAST',
    ],
    [
      'is followed by a part of its SELECT',
      'SELECT t.id FROM tins t WHERE t.id = ({% once %}SELECT 1{% endonce %} + 2)',
      '{% once %} is one value: write it alone in parentheses, after =, or as an item of SELECT or CAST',
    ],
    [
      'reads a table that a WITH hides',
      'WITH stoves AS (SELECT 8 AS id FROM stoves) SELECT t.id FROM tins t WHERE t.id = ({% once %}SELECT MIN(s.id) FROM stoves s{% endonce %})',
      '{% once %} reads a table whose name is also that of a WITH: rename the WITH',
    ],
    ['has an argument', 'SELECT ({% once id %}SELECT 1{% endonce %}) AS id', '{% once %} takes no argument'],
    [
      'is closed by another tag',
      'SELECT ({% once %}SELECT 1{% endif %}) AS id',
      '{% endif %} is not allowed here, inside {% once %}',
    ],
  ] as const) {
    it(`is rejected if it ${mistake}`, async () => {
      const problems = await problemsIn({ 'toy.yaml': definitionOf(sql) });
      expect(problems.join('\n')).to.include(message);
    });
  }
});

function factsOf({ rows, notices, emptyNotices }: Answer) {
  return { ids: rows.map(([id]) => Number(id)), notices, emptyNotices };
}
