import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import type { Express } from 'express';
import { pino } from 'pino';
import { NO_PAGES } from '../../console/pages/next-pages.js';
import { createRouteFinder } from '../../engine/http/definitions/definition-routes.js';
import type { Documents } from '../../engine/http/description/formats/documents.js';
import { NamedSchemas } from '../../engine/http/description/formats/named-schemas.js';
import { enumNames } from '../../engine/http/description/names.js';
import { FORMAT_PARAMETERS } from '../../engine/http/formats/format.js';
import { expressPath } from '../../engine/http/operations/route-path.js';
import type { Endpoint } from '../../engine/index.js';
import { clockOf, readSystemTime } from '../../server/clock.js';
import { composeApplication } from '../../server/compose.js';
import { openWarehouse } from '../../server/databases/open-database.js';
import { describeOperations } from '../../server/describe-operations.js';
import { listen } from '../../server/listening/listen.js';
import { QueryMetrics } from '../../server/metrics/request-metrics.js';
import { openEngine } from '../../server/open-engine.js';
import { databaseFile } from '../../server/settings/database-location.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import { readSettings } from '../../server/settings/read-settings.js';
import type { Settings } from '../../server/settings/settings.js';
import { TIMEOUTS } from '../../server/settings/timeouts.js';
import type { Document, DocumentOperation, DocumentParameter, Schema } from './answer-check.js';
import { copyEmptyFile } from './demo-data.js';
import { generatorProblems } from './generator-needs.js';
import { routesOf } from './routes-of.js';
import { SPECIFIED } from './specified-operations.js';

/** Operations of the service that are missing in the specification. */
const BESIDE_IT = [
  'GET /console/definitions/',
  'GET /console/definitions/{queryName}/',
  'GET /console/session/',
  'GET /console/pages/',
  'GET /console/pages/{pageName}/',
  'GET /console/page/',
  'GET /console/search/',
  'GET /console/operator/',
  'GET /badge/{badgeName}.svg',
  'GET /feed/{feedName}.atom',
  'GET /robots.txt',
  'GET /sitemap.xml',
  'GET /e/{imageName}.png',
  'GET /e/{imageName}.svg',
  'GET /docs/json',
  'GET /openapi-3.0.json',
  'GET /openapi.json',
  'GET /q/tables/',
  'GET /q/tables/{name}/',
  'GET /q/choices/{queryName}/{parameter}/',
  'GET /livez',
  'GET /readyz',
  'POST /console/drafts/',
  'POST /q/playground/plan/',
  'GET /user/questions/',
  'GET /user/sessions/',
  'GET /user/keys/',
  'POST /user/keys/',
  'DELETE /user/keys/{keyId}/',
  'GET /user/export/',
  'DELETE /user/sessions/{sessionId}/',
  'DELETE /user/sessions/',
  'DELETE /user/',
  'GET /user/digest/',
  'PUT /user/digest/',
  'GET /unsubscribe/{token}/',
  'POST /unsubscribe/{token}/',
  'POST /explorer/questions/{questionId}/cancel/',
];

describe('the machine-readable description', () => {
  let endpoints: readonly Endpoint[];
  let documents: Documents;
  let openApi: Document;
  before(async () => {
    endpoints = await loadDefinitions({ endpointsDirectory: undefined });
    documents = describeOperations(endpoints);
    openApi = documents.openApi() as unknown as Document;
  });

  it('contains every operation of the specification with its parameters, defaults, values and bounds', () => {
    const found = operationsOf(openApi);
    const differences = SPECIFIED.map(({ route, id, parameters, body }) => {
      const operation = found.get(route);
      if (operation === undefined) return { route, missing: true };
      const own = operation.parameters.filter(({ name }) => !(name in FORMAT_PARAMETERS));
      return {
        specified: { route, id: id ?? operation.operationId, parameters, body },
        described: {
          route,
          id: operation.operationId,
          parameters: Object.fromEntries(own.map((it) => [it.name, parameterText(it)])),
          body: bodyOf(openApi, operation),
        },
      };
    });
    for (const it of differences) {
      expect(it, it.route).to.not.have.property('missing');
      expect(it.described).to.deep.equal(it.specified);
    }
  });

  it('contains no other operations than those of the specification and of this list', () => {
    const specified = new Set(SPECIFIED.map(({ route }) => route));
    const others = [...operationsOf(openApi).keys()].filter((route) => !specified.has(route));
    const named = endpoints.map(({ definition }) => `GET /q/${definition.name}`);
    expect(others.sort()).to.deep.equal([...named, ...BESIDE_IT].sort());
  });

  it('is valid OpenAPI 3.1, OpenAPI 3.0 and Swagger 2.0', async () => {
    for (const [version, document] of [
      ['3.1', documents.openApi()],
      ['3.0', documents.openApi30()],
      ['2.0', documents.swagger()],
    ] as const) {
      const validator = new Validator();
      const { valid, errors } = await validator.validate({ ...document });
      expect({ valid, errors, version: validator.version }).to.deep.equal({ valid: true, errors: undefined, version });
    }
  });

  it('has what client generators need: names, one type where a format requires it, and patterns for every language', () => {
    expect(generatorProblems(documents.openApi())).to.deep.equal([]);
    expect(generatorProblems(documents.openApi30())).to.deep.equal([]);
    expect(generatorProblems(documents.swagger())).to.deep.equal([]);
  });

  it('states in OpenAPI 3.0 the alternatives of a type, and what can be null', () => {
    const { schemas } = (documents.openApi30() as unknown as Document).components;
    expect(schemas.WholeNumberOrNull).to.deep.equal({
      description: 'A number up to 2^53; a text with all digits beyond that.',
      anyOf: [
        { type: 'integer', format: 'int64', nullable: true },
        { type: 'string', nullable: true },
      ],
    });
    const { BranchRef, Question } = schemas;
    expect(BranchRef).to.include({ type: 'object', nullable: true });
    const { engine } = (Question as { readonly properties: Record<string, Schema> }).properties;
    expect(engine).to.deep.include({ type: 'string', enum: ['catalogue', 'model', null], nullable: true });
  });

  it('has a pattern of a definition as x-pattern if not every language reads it in the same way', () => {
    const portable = ['^[a-c]+$', '^a\\.b(?:-[^\\x00,]{1,3})?$', '[\\w.-]+/[\\]^]', 'ä'];
    const others = [
      '^\\p{L}+$',
      '\\u00e4',
      '(?<name>a)',
      '(?i)a',
      '[[:alpha:]]',
      '[a[b]]',
      '[]a]',
      'a{',
      '😀',
      '\ud800',
      '\\z',
    ];
    for (const pattern of [...portable, ...others]) {
      const written = new NamedSchemas('#/').refer({ type: 'string', pattern });
      const keyword = portable.includes(pattern) ? 'pattern' : 'x-pattern';
      expect(written).to.deep.equal({ type: 'string', [keyword]: pattern });
    }
  });

  it('names the values of enums for languages that do not accept their characters', () => {
    const names = (name: string) => {
      const { parameters = [] } = openApi.paths['/v1/trends/repos/']?.get ?? {};
      const { enum: values, 'x-enum-varnames': given } = parameters.find((it) => it.name === name)?.schema ?? {};
      return Object.fromEntries((values as string[]).map((value, index) => [value, (given as string[])[index]]));
    };
    expect(names('period')).to.include({ past_24_hours: 'Past24Hours', past_week: 'PastWeek' });
    expect(names('language')).to.include({ C: 'C', 'C++': 'CPlusPlus', 'C#': 'CSharp', 'Objective-C': 'ObjectiveC' });
    expect(enumNames([0, -1, 'a', 'A', 'b-desc', '', 'ä', '2x', 'UNSIGNED BIGINT'])).to.deep.equal([
      ...['Value0', 'Minus1', 'A', 'A2', 'BDesc', 'Value', 'Value2', 'Value2x', 'UnsignedBigint'],
    ]);
  });

  it('has version 0.1.0 and the same operations in all formats', () => {
    const all = [documents.openApi(), documents.openApi30(), documents.swagger()];
    expect(all.map(({ info }) => info.version)).to.deep.equal(['0.1.0', '0.1.0', '0.1.0']);
    const ids = ({ paths }: Pick<ReturnType<Documents['openApi']>, 'paths'>) =>
      Object.entries(paths).map(([path, item]) => [path, Object.keys(item)]);
    const [first, ...others] = all.map(ids);
    for (const other of others) expect(other).to.deep.equal(first);
  });

  it('contains exactly the routes of the application', async () => {
    const described = [...operationsOf(openApi).keys()].map(asRoute);
    const served = await withApplication(readSettings({}), async (app) => routesOf(app));
    const pages = /^GET \/(docs|e|p|ask|playground|account|embed)(\/|$)/;
    const isNamedQuery = /^GET \/q\/[a-z-]+$/;
    expect(served.filter((route) => !described.includes(route) && !pages.test(route))).to.deep.equal([]);
    // Routes of definitions are matched without express.
    const findRoute = createRouteFinder({ endpoints, generation: 0, broken: () => [], select: (endpoint) => endpoint });
    const isServed = (route: string) => served.includes(route) || findRoute(route.replace('GET ', '')) !== undefined;
    expect(described.filter((route) => !isServed(route) && !isNamedQuery.test(route))).to.deep.equal([
      'GET /v1/:wildcard',
      'GET /q/:wildcard',
    ]);
  });

  it('contains the sign-in with a browser if it is configured, and follows the recommendations of a linter', async () => {
    const settings = readSettings({ PORT: '0', ...SIGN_IN });
    await withApplication(settings, async (app) => {
      const { url, close } = await listen(app, settings);
      try {
        const [openApi, openApi30, swagger] = await Promise.all(
          ['/openapi.json', '/openapi-3.0.json', '/docs/json'].map(
            async (path) => (await (await fetch(url + path)).json()) as Document,
          ),
        );
        for (const [document, plain] of [
          [openApi, documents.openApi()],
          [openApi30, documents.openApi30()],
          [swagger, documents.swagger()],
        ] as unknown as [Document, Document][]) {
          const { valid, errors } = await new Validator().validate({ ...document });
          expect([valid, errors, await lintProblems(document)]).to.deep.equal([true, undefined, []]);
          const beside = [...operationsOf(document).keys()].filter((it) => !operationsOf(plain).has(it));
          expect(beside).to.deep.equal(['GET /sign-in/', 'GET /sign-in/callback/', 'POST /sign-out/']);
        }
        const { responses = {} } = openApi?.paths['/sign-in/']?.get ?? {};
        expect(Object.keys(responses)).to.deep.equal(['302', '400', '429', '500', '503']);
        expect(routesOf(app)).to.include.members(['GET /sign-in', 'GET /sign-in/callback', 'POST /sign-out']);
      } finally {
        await close();
      }
    });
  });

  it('accepts an added definition with any names of the endpoint and its columns', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'repo-insight-endpoints-'));
    try {
      await writeFile(join(folder, 'healthy.yaml'), ODD_DEFINITION);
      const added = await loadDefinitions({ endpointsDirectory: folder });
      const { openApi, openApi30, swagger } = describeOperations(added);
      const described = operationsOf(openApi() as unknown as Document);
      expect(described.get('GET /v1/healthy/')?.operationId).to.equal('v1-healthy');
      const { HealthyRow: row } = (openApi() as unknown as Document).components.schemas;
      expect(Object.keys(row?.properties as object)).to.deep.equal(['title', 'dependencies', 'constructor', 'default']);
      for (const document of [openApi(), openApi30(), swagger()]) {
        const { valid, errors } = await new Validator().validate({ ...document });
        expect({ valid, errors }).to.deep.equal({ valid: true, errors: undefined });
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('contains the session cookie only if users can sign in', () => {
    const securityOf = (cookie?: string) => {
      const { openApi } = describeOperations(endpoints, { sessionCookie: cookie });
      const { components, paths } = openApi() as unknown as Document & { components: { securitySchemes: object } };
      return { schemes: Object.keys(components.securitySchemes), user: paths['/user/']?.get?.security };
    };
    expect(securityOf()).to.deep.equal({ schemes: ['bearer', 'key'], user: [{ bearer: [] }] });
    expect(securityOf('insight')).to.deep.equal({
      schemes: ['bearer', 'session', 'key'],
      user: [{ bearer: [] }, { session: [] }],
    });
  });

  it('describes every tag and has an example of every operation', () => {
    expect(documents.openApi().tags.filter(({ description }) => description === undefined)).to.deep.equal([]);
    const without = [...operationsOf(openApi)]
      .filter(([route]) => !BESIDE_IT.includes(route) && !route.endsWith('/{wildcard}'))
      .flatMap(([route, { responses }]) => (JSON.stringify(responses[200]).includes('"examples"') ? [] : [route]));
    expect(without).to.deep.equal([]);
  });
});

const ODD_DEFINITION = `name: healthy
path: /v1/healthy/
summary: Names that mean something elsewhere
tags: [constructor]
columns:
  - { col: title, data_type: INT, nullable: false, description: A }
  - { col: dependencies, data_type: INT, nullable: false, description: B }
  - { col: constructor, data_type: INT, nullable: false, description: C }
  - { col: default, data_type: INT, nullable: true, description: D }
sql: SELECT 1 AS title, 2 AS dependencies, 3 AS constructor, NULL AS \`default\`
`;

/** Disabled rules of the linter, each with its reason. */
const RULES = {
  // The specification requires a trailing slash in paths.
  'no-path-trailing-slash': 'off',
  // The specification has ambiguous paths: `/gh/users/{username}/` and `/gh/users/search/`.
  'no-ambiguous-paths': 'off',
  // The sign-in operations return only redirects.
  'operation-2xx-response': 'off',
  // The specification allows undescribed keys in answers.
  'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: true },
} as const;

// The linter does not know `x-nullable`, which Swagger 2.0 needs for an enum with null.
const SWAGGER_RULES = { 'no-enum-type-mismatch': 'off' } as const;

function operationsOf({ paths }: Document): Map<string, DocumentOperation> {
  return new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
    ),
  );
}

/** Converts a path to the form of Express: `GET /a/{id}/` becomes `GET /a/:id`. */
function asRoute(words: string): string {
  const [method, path = ''] = words.split(' ');
  return `${method} ${expressPath(path)}`;
}

const SIGN_IN = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'insight', PUBLIC_URL: 'https://insight.example' };

/** Calls `work` with the complete application on a database with empty tables. */
async function withApplication<T>(settings: Settings, work: (app: Express) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'repo-insight-test-'));
  const placed = { ...settings, dataDirectory: folder };
  await copyEmptyFile(databaseFile(placed) ?? '');
  const warehouse = await openWarehouse(placed, { migrating: true });
  try {
    const engine = await openEngine(placed, warehouse.database);
    const logger = pino({ level: 'silent' });
    const definitions = {
      state: () => ({ endpoints: engine.endpoints, broken: [], outdated: [], canaries: [], paused: new Map() }),
      reloads: { succeeded: 0, problems: 0, failed: 0 },
    };
    const parts = {
      settings: placed,
      warehouse,
      engine,
      definitions,
      pages: { state: () => NO_PAGES },
      drain: { isReady: true },
      clock: clockOf(placed),
      systemClock: readSystemTime,
      logger,
      timeouts: TIMEOUTS,
      queries: new QueryMetrics(() => true, 0),
    };
    const { app, close } = await composeApplication(parts);
    return await work(app).finally(close);
  } finally {
    await warehouse.close();
    await rm(folder, { recursive: true });
  }
}

async function lintProblems(document: object): Promise<string[]> {
  const rules = 'swagger' in document ? { ...RULES, ...SWAGGER_RULES } : RULES;
  const config = await createConfig({ extends: ['recommended-strict'], rules });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config });
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

function parameterText({ in: place, required, schema }: DocumentParameter): string {
  const { type, format, default: value, enum: values, minimum, maximum } = schema;
  return [
    `${place} ${type}${[undefined, 'int64'].includes(format as string | undefined) ? '' : ` ${format}`}${required ? '' : '?'}`,
    ...(value === undefined ? [] : [`= ${value}`]),
    ...(Array.isArray(values) ? [`of ${values.join(', ')}`] : []),
    ...(minimum === undefined || maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
      ? []
      : [`from ${minimum} to ${maximum}`]),
  ].join(' ');
}

function bodyOf(document: Document, { requestBody }: DocumentOperation): Record<string, string> | undefined {
  const schema = requestBody && resolved(document, requestBody.content['application/json'].schema);
  if (schema === undefined) return undefined;
  const required = (schema.required ?? []) as string[];
  return Object.fromEntries(
    Object.entries(schema.properties as Record<string, Schema>).map(([name, property]) => [
      name,
      `${resolved(document, property).type}${required.includes(name) ? '!' : ''}`,
    ]),
  );
}

function resolved(document: Document, schema: Schema): Schema {
  const name = String(schema.$ref ?? '').replace('#/components/schemas/', '');
  return name === '' ? schema : (document.components.schemas[name] ?? schema);
}
