import { expect } from 'chai';
import { loadEndpoints } from '../../../engine/index.js';
import { definitionOf, endpointOf, inFolder } from '../fixtures.js';

/** The SQL of a definition, and the tables that it reads. */
const TABLES: readonly (readonly [sql: string, tables: readonly string[]])[] = [
  ['SELECT 1 AS id', []],
  ['SELECT l.id FROM `Loaves` l', ['loaves']],
  ['SELECT l.id FROM loaves l, ovens JOIN flour f ON f.id = l.id', ['flour', 'loaves', 'ovens']],
  [
    'SELECT l.id FROM loaves l LEFT JOIN (ovens o JOIN flour f ON f.id = o.id) ON o.id = l.id',
    ['flour', 'loaves', 'ovens'],
  ],
  ['SELECT id FROM loaves UNION ALL SELECT id FROM ovens', ['loaves', 'ovens']],
  ['SELECT x.id FROM (SELECT id FROM loaves WHERE id IN (SELECT id FROM sold)) x', ['loaves', 'sold']],
  [
    'SELECT (SELECT MAX(id) FROM ovens) AS id FROM loaves l WHERE EXISTS (SELECT 1 FROM sold)',
    ['loaves', 'ovens', 'sold'],
  ],
  ['SELECT id FROM loaves ORDER BY (SELECT MAX(id) FROM ovens) + id', ['loaves', 'ovens']],
  ['WITH a AS (SELECT id FROM loaves), b AS (SELECT id FROM a) SELECT b.id FROM b JOIN a ON a.id = b.id', ['loaves']],
  // The inner `a` hides the outer one, and each is only visible in its statement.
  ['SELECT x.id FROM (WITH a AS (SELECT id FROM loaves) SELECT id FROM a) x JOIN a ON a.id = x.id', ['a', 'loaves']],
  [
    'WITH a AS (SELECT id FROM loaves) SELECT id FROM a WHERE id IN (SELECT id FROM a) UNION SELECT id FROM a',
    ['loaves'],
  ],
  // Without RECURSIVE, `loaves` inside of the WITH refers to the table.
  ['WITH loaves AS (SELECT id FROM loaves) SELECT id FROM loaves', ['loaves']],
  ['WITH b AS (SELECT id FROM a), a AS (SELECT id FROM ovens) SELECT id FROM b', ['a', 'ovens']],
  [
    'WITH RECURSIVE n AS (SELECT 1 AS id UNION ALL SELECT n.id + 1 FROM n JOIN ovens o ON o.id = n.id) SELECT id FROM n',
    ['ovens'],
  ],
  // In some databases, names are case-sensitive, so a name in other letters counts as a table.
  ['WITH A AS (SELECT id FROM loaves) SELECT id FROM a', ['a', 'loaves']],
  ['SELECT l.id FROM other.loaves l', ['other.loaves']],
  ['WITH loaves AS (SELECT 1 AS id) SELECT id FROM other.loaves', ['other.loaves']],
  ["SELECT c.id FROM read_csv('x') c", ['read_csv()']],
  ["SELECT l.id FROM loaves l JOIN read_csv('x') c ON c.id = l.id", ['loaves', 'read_csv()']],
  [
    'SELECT l.id FROM loaves l {% if a %}JOIN ovens o ON o.id = l.id{% else %}JOIN sold s ON s.id = l.id{% endif %}',
    ['loaves', 'ovens', 'sold'],
  ],
];

describe('the dependencies of an endpoint', () => {
  for (const [sql, tables] of TABLES) {
    it(`contain the tables of ${sql}`, async () => {
      const params = sql.includes('{% if a') ? 'a: { in: query, type: boolean, default: true, description: A }' : '';
      const endpoint = await endpointOf(definitionOf(sql, params));
      expect([...endpoint.tables].sort()).to.deep.equal(tables);
    });
  }

  it('contain the tables and the clock of all queries', async () => {
    const endpoint = await endpointOf(
      definitionOf(
        'SELECT l.id FROM loaves l WHERE l.day = {{ today }}',
        '',
        [
          'data_as_of: SELECT MAX(day) FROM days',
          'computed_at: SELECT MAX(day) FROM runs',
          'notices:',
          '  - { when: always, sql: "SELECT name AS notice FROM ovens WHERE at < {{ hour }}" }',
          '  - { when: empty, sql: "SELECT kind AS notice FROM kinds" }',
        ].join('\n'),
      ),
    );
    expect([...endpoint.tables].sort()).to.deep.equal(['days', 'kinds', 'loaves', 'ovens', 'runs']);
    expect([endpoint.clock, endpoint.query.clock, endpoint.dataAsOf?.clock]).to.deep.equal(['hour', 'day', undefined]);
  });

  it('contain the shortest unit of the clock', async () => {
    const clocks: unknown[] = [];
    for (const value of ['{{ today }}', '{{ hour }}', '{{ hour | append: "" }}', '{{ now }}', "'2024-01-01'"]) {
      const sql = `SELECT l.id FROM loaves l WHERE l.day = {{ today }} OR l.baked_at < ${value}`;
      const { clock } = await endpointOf(definitionOf(value.startsWith("'") ? 'SELECT 1 AS id' : sql));
      clocks.push(clock);
    }
    expect(clocks).to.deep.equal(['day', 'hour', 'hour', 'second', undefined]);
  });

  it('have another hash after any change of the definition or of a shared part', async () => {
    const shared = (text: string) => `views:\n  kinds: SELECT id FROM ${text}\n`;
    const definition = definitionOf('SELECT x.id FROM ({% use kinds %}) x', '', 'shared: [a.shared.yaml]');
    const hashOf = (yaml: string, part: string) =>
      inFolder({ 'one.yaml': yaml, 'a.shared.yaml': shared(part) }, async (folder) => {
        const { endpoints } = await loadEndpoints(folder);
        return endpoints[0]?.contentHash;
      });
    const hashes = [
      await hashOf(definition, 'loaves'),
      await hashOf(definition, 'ovens'),
      await hashOf(definition.replace('description: Number', 'description: Id'), 'loaves'),
      await hashOf(`${definition}limits: { rows: 7 }\n`, 'loaves'),
      await hashOf(definition.replace('BIGINT', 'INT'), 'loaves'),
    ];
    expect(new Set(hashes).size).to.equal(5);
    expect(hashes.every((hash) => /^[0-9a-f]{64}$/.test(String(hash)))).to.equal(true);
    expect(await hashOf(definition, 'loaves')).to.equal(hashes[0]);
  });
});
