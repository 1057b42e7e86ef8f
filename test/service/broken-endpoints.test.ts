import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Envelope } from '../../engine/http/envelopes/envelope.js';
import { DefinitionsError } from '../../engine/index.js';
import { errorOf } from '../databases/failures.js';
import { type DemoService, startDemoService } from './demo-service.js';
import { FEW_ENDPOINTS } from './few-endpoints.js';

const DEFINITION = `name: biggest-owners
path: /v1/owners/biggest/
summary: Owners with the most repositories
columns:
  - { col: owner, data_type: VARCHAR, nullable: false, description: Login }
sql: |
  SELECT owner_login AS owner
  FROM github_repos
  GROUP BY owner_login
  ORDER BY owner
`;

/** Edits that break the definition above, and the position that the message to callers must contain. */
const BROKEN: Readonly<Record<string, { readonly edit: readonly [string, string]; readonly place: string }>> = {
  'unknown-parameter': { edit: ['ORDER BY owner', 'HAVING 1 = {{ most }}'], place: 'line 10, sql' },
  'not-yaml': { edit: ['columns:', '\tcolumns:'], place: 'line 4' },
  untranslatable: { edit: ['owner_login AS owner', 'SOUNDEX(owner_login) AS owner'], place: 'line 7, sql' },
  'unknown-column': { edit: ['GROUP BY owner_login', 'GROUP BY owner_logn'], place: 'line 9, sql' },
  'unknown-table': { edit: ['FROM github_repos', 'FROM github_repoes'], place: 'line 8, sql' },
};

describe('broken endpoints', () => {
  let folder: string;
  let demo: DemoService;
  const name = (key: string) => `owners-${key}`;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-endpoints-'));
    for (const [key, { edit }] of Object.entries(BROKEN)) {
      const own = DEFINITION.replace('biggest-owners', name(key)).replace('/owners/biggest/', `/owners/${key}/`);
      await writeFile(join(folder, `${name(key)}.yaml`), own.replace(...edit));
    }
    await writeFile(join(folder, 'twice-a.yaml'), DEFINITION.replace('biggest-owners', 'twice-a'));
    await writeFile(join(folder, 'twice-b.yaml'), DEFINITION.replace('biggest-owners', 'twice-b'));
    demo = await startDemoService({ ENDPOINTS_DIR: `${FEW_ENDPOINTS},${folder}` });
  });
  after(async () => {
    await demo?.close();
    await rm(folder, { recursive: true });
  });

  it('do not affect other endpoints', async () => {
    expect((await demo.get('/v1/collections/')).status).to.equal(200);
    expect((await demo.get('/q/list-collections')).status).to.equal(200);
    expect((await demo.get('/healthy/')).status).to.equal(200);
    expect(demo.service.broken().map((one) => one.name)).to.have.members([
      ...Object.keys(BROKEN).map(name),
      'twice-a',
      'twice-b',
    ]);
  });

  for (const [key, { place }] of Object.entries(BROKEN)) {
    it(`answer 503 with the place of the problem at their path and by name: ${key.replaceAll('-', ' ')}`, async () => {
      const message = `${name(key)} is unavailable: its definition has a problem (${place}). Operators find the reason in the log and with \`endpoint list\`.`;
      const atPath = await demo.get(`/v1/owners/${key}`);
      const { result } = ((await atPath.json()) as Envelope).data;
      expect([atPath.status, result.code, result.error, result.message]).to.deep.equal([
        503,
        503,
        'endpoint_broken',
        message,
      ]);
      for (const path of [`/q/${name(key)}`, `/q/explain/${name(key)}/`]) {
        const byName = await demo.get(path);
        expect(byName.headers.get('content-type')).to.match(/^application\/problem\+json/);
        expect([byName.status, await byName.json()]).to.deep.include.members([503]);
        const problem = (await (await demo.get(path)).json()) as Record<string, unknown>;
        expect([problem.code, problem.detail]).to.deep.equal(['endpoint_broken', message]);
      }
    });
  }

  it('are all definitions that share a path, because the intended one is not known', async () => {
    expect((await demo.get('/v1/owners/biggest/')).status).to.equal(503);
    for (const one of ['twice-a', 'twice-b']) expect((await demo.get(`/q/${one}`)).status).to.equal(503);
  });

  it('are described if their definition itself is valid', async () => {
    const { paths } = (await (await demo.get('/openapi.json')).json()) as { paths: Record<string, unknown> };
    expect(paths).to.include.keys(
      '/v1/owners/unknown-column/',
      '/v1/owners/untranslatable/',
      '/q/owners-unknown-column',
    );
    expect(paths).not.to.have.any.keys('/v1/owners/unknown-parameter/', '/v1/owners/not-yaml/', '/v1/owners/biggest/');
  });

  it('prevent the start of the service if all endpoints are broken', async () => {
    const own = await mkdtemp(join(tmpdir(), 'repo-insight-endpoints-'));
    await writeFile(join(own, 'one.yaml'), DEFINITION.replace('{ col: owner', '{ col: ownr'));
    const error = await errorOf(startDemoService({ ENDPOINTS_DIR: own }));
    expect(error).to.be.instanceOf(DefinitionsError);
    expect(error.message).to.include(`${join(own, 'one.yaml')}:7:3 sql: the SELECT returns the wrong columns`);
    const missing = await errorOf(startDemoService({ ENDPOINTS_DIR: join(own, 'none') }));
    expect(missing.message).to.include('the directory cannot be read');
    await rm(own, { recursive: true });
  });
});

const CAMEL = `name: owners-of-repositories
path: /v1/owners/{ownerKind}/repositories/
summary: Owners of repositories
params:
  ownerKind: { in: path, enum: [any, organization], description: Which owners. }
  repoIds: { in: query, type: array, items: { type: integer }, maxItems: 3, description: Only these. }
columns:
  - { col: repositories, data_type: BIGINT, nullable: false, description: How many }
sql: |
  SELECT COUNT(*) AS repositories FROM github_repos
  WHERE 1 = 1 {% if repoIds %}AND repo_id IN ({{ repoIds }}){% endif %} {% if ownerKind == "organization" %}AND owner_is_org = 1{% endif %}
`;

describe('parameters in camelCase and optional lists', () => {
  let folder: string;
  let demo: DemoService;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-endpoints-'));
    await writeFile(join(folder, 'owners.yaml'), CAMEL);
    demo = await startDemoService({ ENDPOINTS_DIR: folder });
  });
  after(async () => {
    await demo?.close();
    await rm(folder, { recursive: true });
  });
  const query = async (path: string) => {
    const answer = await demo.get(path);
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };

  it('have the same names in the path, in the query and in the answer', async () => {
    const { rows } = await demo.database.query(
      { sql: 'SELECT repo_id FROM github_repos ORDER BY repo_id LIMIT 2' },
      [],
      {
        maxRows: 2,
        timeoutMs: 10_000,
      },
    );
    const ids = rows.map(([id]) => Number(id));
    const { body } = await query(`/q/owners-of-repositories?ownerKind=any&repoIds=${ids.join(',')}`);
    expect([body.params, body.data]).to.deep.equal([{ ownerKind: 'any', repoIds: ids }, [{ repositories: 2 }]]);
    const all = await query('/q/owners-of-repositories?ownerKind=any');
    expect(all.body.params).to.deep.equal({ ownerKind: 'any', repoIds: null });
    const atPath = (await (await demo.get(`/v1/owners/any/repositories?repoIds=${ids[0]}`)).json()) as Envelope;
    expect(atPath.data.rows).to.deep.equal([{ repositories: '1' }]);
  });

  it('are rejected under the names that callers use, including an empty list', async () => {
    for (const [text, message] of [
      [
        'repoIds=',
        'repoIds must be 1 to 3 values separated by commas, each an integer from -9007199254740991 to 9007199254740991, got ""',
      ],
      [
        'repoIds=1,x',
        'repoIds must be 1 to 3 values separated by commas, each an integer from -9007199254740991 to 9007199254740991, got "1,x" (2 values)',
      ],
      [
        'repo_ids=1',
        '"repo_ids" is not a parameter of this endpoint (did you mean "repoIds"?): expected one of repoIds',
      ],
    ]) {
      const { status, body } = await query(`/v1/owners/any/repositories/?${text}`);
      const { result } = (body as unknown as Envelope).data;
      expect([status, result.message]).to.deep.equal([400, message]);
    }
  });

  it('are described with their names and types', async () => {
    const { body } = await query('/openapi.json');
    const paths = body.paths as Record<string, { get: { parameters: Record<string, unknown>[] } }>;
    const described = paths['/v1/owners/{ownerKind}/repositories/']?.get.parameters ?? [];
    expect(described.map(({ name, in: place, required }) => [name, place, required])).to.deep.equal([
      ['ownerKind', 'path', true],
      ['repoIds', 'query', false],
      ['format', 'query', false],
      ['csv_safe', 'query', false],
      ['csv_labels', 'query', false],
      ['closing_record', 'query', false],
    ]);
    expect(described[1]?.schema).to.deep.equal({
      type: 'array',
      items: { type: 'integer', format: 'int64', minimum: -(2 ** 53 - 1), maximum: 2 ** 53 - 1 },
      minItems: 1,
      maxItems: 3,
    });
  });
});
