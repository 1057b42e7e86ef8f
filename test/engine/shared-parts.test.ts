import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import { writeDefinitionText } from '../../engine/authoring/index.js';
import { type Endpoint, formatProblem, loadEndpointFiles, loadEndpoints } from '../../engine/index.js';
import { endpointOf, inFolder, readSchema } from './fixtures.js';

const SHARED = `params:
  oven: { in: path, type: string, maxLength: 40, description: Name of the oven }
  limit: { in: query, type: integer, default: 5, description: Most loaves, example: 3 }
columns:
  loaf:
    - { col: id, data_type: BIGINT, nullable: false, description: Number }
    - { col: kind, data_type: VARCHAR, nullable: false, description: Kind }
notices:
  cold-days:
    when: always
    sql: |
      SELECT CONCAT('The ', {{ place }}, ' was cold on ', day) AS notice
      FROM cold_days
      WHERE oven_id = {% use oven_by_name %} AND degrees < {{ degrees }}
views:
  # A comment of the shared file.
  oven_by_name: |
    SELECT id
    FROM ovens
    WHERE name = {% use small_name %}
  small_name: LOWER({{ oven }})
  loaves_of_kind: |
    SELECT id, kind, weight
    FROM loaves
    WHERE oven_id = {% use oven_by_name %}
      AND kind = {{ kind }} AND note <> 'two
    lines'
`;

const DEFINITION = `name: list-loaves
path: /v1/ovens/{oven}/loaves/
summary: Loaves of an oven
shared: [bakery.shared.yaml]
params:
  oven: { use: oven }
  least: { use: limit, default: 2, description: Least weight }
columns:
  - { use: loaf }
  - { col: weight, data_type: INT, nullable: true, description: Weight }
sql: |
  SELECT l.id, l.kind, l.weight
  FROM {% use loaves_of_kind kind: 'baker''s' %} l
  WHERE l.weight >= {{ least }}
data_as_of: SELECT MAX(baked_at) FROM loaves
notices:
  - { use: cold-days, with: { place: "baker's \\\\ oven", degrees: 180 } }
  - { use: cold-days, when: empty, with: { place: oven, degrees: 90.5 } }
examples:
  - { name: one oven, params: { oven: stone } }
`.replace("kind: 'baker''s'", 'kind: "baker\'s"');

/** The same endpoint as above, without shared parts. */
const EXPANDED = `name: list-loaves
path: /v1/ovens/{oven}/loaves/
summary: Loaves of an oven
params:
  oven: { in: path, type: string, maxLength: 40, description: Name of the oven }
  least: { in: query, type: integer, default: 2, description: Least weight, example: 3 }
columns:
  - { col: id, data_type: BIGINT, nullable: false, description: Number }
  - { col: kind, data_type: VARCHAR, nullable: false, description: Kind }
  - { col: weight, data_type: INT, nullable: true, description: Weight }
sql: |
  SELECT l.id, l.kind, l.weight
  FROM (
    SELECT id, kind, weight
    FROM loaves
    WHERE oven_id = (
      SELECT id
      FROM ovens
      WHERE name = (LOWER({{ oven }}))
    )
      AND kind = 'baker''s' AND note <> 'two
  lines'
  ) l
  WHERE l.weight >= {{ least }}
data_as_of: SELECT MAX(baked_at) FROM loaves
notices:
  - when: always
    sql: |
      SELECT CONCAT('The ', 'baker''s \\\\ oven', ' was cold on ', day) AS notice
      FROM cold_days
      WHERE oven_id = (
        SELECT id
        FROM ovens
        WHERE name = (LOWER({{ oven }}))
      ) AND degrees < 180
  - when: empty
    sql: |
      SELECT CONCAT('The ', 'oven', ' was cold on ', day) AS notice
      FROM cold_days
      WHERE oven_id = (
        SELECT id
        FROM ovens
        WHERE name = (LOWER({{ oven }}))
      ) AND degrees < 90.5
examples:
  - { name: one oven, params: { oven: stone } }
`;

/** Returns the content of an endpoint as plain values. */
function contentOf({ definition, parameters, query, dataAsOf, notices }: Endpoint) {
  return {
    definition,
    parameters,
    texts: query.texts,
    used: query.parameters,
    dataAsOf: dataAsOf?.texts,
    notices: notices.map((notice) => [notice.when, notice.query.texts, notice.query.parameters]),
  };
}

describe('shared parts of definitions', () => {
  it('have the same effect as their text in the definition', async () => {
    await inFolder({ 'bakery.shared.yaml': SHARED, 'list.yaml': DEFINITION }, async (folder) => {
      const { endpoints, problems } = await loadEndpoints(folder);
      expect(problems.map(formatProblem)).to.deep.equal([]);
      expect(endpoints.map(contentOf)).to.deep.equal([contentOf(await endpointOf(EXPANDED))]);
    });
  });

  it('are expanded to a text that defines the same endpoint', async () => {
    await inFolder({ 'bakery.shared.yaml': SHARED, 'list.yaml': DEFINITION }, async (folder) => {
      const { endpoints } = await loadEndpoints(folder);
      for (const endpoint of endpoints) {
        const text = await writeDefinitionText(endpoint.expanded);
        expect(text).not.to.match(/use|shared/);
        expect(contentOf(await endpointOf(text))).to.deep.equal(contentOf(endpoint));
        expect(contentOf(await endpointOf(JSON.stringify(endpoint.expanded)))).to.deep.equal(contentOf(endpoint));
      }
    });
  });

  it('are found for a single file, in other folders, and in several files', async () => {
    const [params = '', rest = ''] = SHARED.split(/(?=^columns:)/m);
    await inFolder({ 'rest.shared.yaml': rest }, async (folder) => {
      mkdirSync(join(folder, 'a'));
      writeFileSync(join(folder, 'a', 'params.shared.json'), JSON.stringify({ params: { oven: OVEN, limit: LIMIT } }));
      expect(params).to.include('oven:');
      const file = join(folder, 'a', 'list.yaml');
      writeFileSync(file, DEFINITION.replace('[bakery.shared.yaml]', '[params.shared.json, ../a/../rest.shared.yaml]'));
      for (const { endpoints, problems } of [await loadEndpointFiles([file]), await loadEndpoints(folder)]) {
        expect(problems.map(formatProblem)).to.deep.equal([]);
        expect(endpoints.map(contentOf)).to.deep.equal([contentOf(await endpointOf(EXPANDED))]);
      }
    });
  });

  it('have a valid schema, as definitions have', () => {
    const ajv = new Ajv({ strictTypes: true, allowUnionTypes: true });
    ajv.addSchema(readSchema('chart.schema.json'), 'chart.schema.json');
    ajv.addSchema(readSchema('endpoint.schema.json'), 'endpoint.schema.json');
    ajv.addSchema(readSchema('shared.schema.json'), 'shared.schema.json');
    expect(ajv.getSchema('shared.schema.json')).to.be.a('function');
    expect(ajv.getSchema('endpoint.schema.json')).to.be.a('function');
  });
});

const OVEN = { in: 'path', type: 'string', maxLength: 40, description: 'Name of the oven' };
const LIMIT = { in: 'query', type: 'integer', default: 5, description: 'Most loaves', example: 3 };
