import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { signToken } from '../../accounts/identity/bearer-tokens.js';
import { listening, run, startHere, stopAll } from '../cli/command-line.js';
import { call, connectHttp } from '../mcp/mcp-client.js';
import { describeEmbedded } from '../services/server.js';
import { createKey, DEFINITIONS, type Rights, type TestedDefinition, writeTenants } from './tenants.js';

const SECRET = 'a secret of more than thirty-two bytes';
/** A time in the past, and a time in seconds after which no test runs. */
const ISSUED = new Date('2026-01-01T00:00:00Z');
const LIFETIME = 3_000_000_000;
const RULES = { issuer: 'repo-insight', audience: 'repo-insight' };

const PLAN = '/q/explain/{queryName}/';

interface Caller extends Rights {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Row = Readonly<Record<string, unknown>>;

/** What a caller gets: the status, and the rows of an answer with status 200. The rows are undefined if the test cannot read them. */
interface Answer {
  readonly status: number;
  readonly rows?: readonly Row[] | undefined;
}

/** A way to read the rows of a definition. */
type Way = (definition: TestedDefinition, caller: Caller) => Promise<Answer>;

describeEmbedded('access: every caller, definition and way to read it', () => {
  let folder: string;
  let url: string;
  let callers: readonly Caller[];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-access-'));
    await writeTenants(folder);
    callers = await createCallers(folder);
    const environment = { PORT: '0', LOG_LEVEL: 'silent', JWT_SECRET: SECRET, RATE_LIMIT_PER_HOUR: '0' };
    url = await listening(
      startHere(['serve'], { cwd: folder, environment: { ...environment, RATE_LIMIT_PER_MINUTE: '0' } }),
    );
  });
  after(async () => {
    stopAll();
    await rm(folder, { recursive: true });
  });

  const get = (path: string, { headers }: Caller, more: Readonly<Record<string, string>> = {}, method = 'GET') =>
    fetch(`${url}${path}`, { method, headers: { ...headers, ...more } });

  const answerOf = async (
    response: Response,
    read: (response: Response) => Promise<readonly Row[] | undefined>,
  ): Promise<Answer> => {
    const { status } = response;
    if (status === 200) return { status, rows: await read(response) };
    await response.arrayBuffer();
    return { status };
  };

  const unreadable = async (response: Response) => {
    await response.arrayBuffer();
    return undefined;
  };
  const lines = async (response: Response) =>
    (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Row)
      .filter((row) => !('_end' in row));
  const csv = async (response: Response) => {
    const [head = '', ...rows] = (await response.text()).trimEnd().split('\r\n');
    const names = head.split(',');
    const complete = rows.filter((row) => !row.startsWith('_truncated'));
    return complete.map((row) => Object.fromEntries(row.split(',').map((cell, index) => [names[index], cell])));
  };
  const ofV1 = async (response: Response) => ((await response.json()) as { data: { rows: Row[] } }).data.rows;
  const ofQ = async (response: Response) => ((await response.json()) as { data: Row[] }).data;

  const ways: Readonly<Record<string, Way>> = {
    '/v1/…': async ({ name }, caller) => answerOf(await get(`/v1/${name}/`, caller), ofV1),
    '/v1/… again': async ({ name }, caller) => answerOf(await get(`/v1/${name}/`, caller), ofV1),
    '/v1/… as the newest version': async ({ name }, caller) =>
      answerOf(await get(`/v1/${name}/`, caller, { 'Cache-Control': 'no-cache' }), ofV1),
    '/v1/….csv': async ({ name }, caller) => answerOf(await get(`/v1/${name}.csv`, caller), csv),
    '/v1/… as NDJSON': async ({ name }, caller) => answerOf(await get(`/v1/${name}/?format=ndjson`, caller), lines),
    '/v1/… as Arrow': async ({ name }, caller) =>
      answerOf(await get(`/v1/${name}/`, caller, { Accept: 'application/vnd.apache.arrow.stream' }), unreadable),
    '/q/{wildcard}': async ({ name }, caller) => answerOf(await get(`/q/${name}`, caller), ofQ),
    '/q/….csv': async ({ name }, caller) => answerOf(await get(`/q/${name}.csv`, caller), csv),
    'HEAD /q/…': async ({ name }, caller) => {
      const { status } = await get(`/q/${name}`, caller, {}, 'HEAD');
      return { status };
    },
    [PLAN]: async ({ name }, caller) => answerOf(await get(`/q/explain/${name}/`, caller), unreadable),
    '/e/{imageName}.png': async (definition, caller) => {
      // Pictures cost much, and the one of another definition would take the same path.
      if (definition.name !== 'orders') return expectedOf(definition, caller);
      return answerOf(await get('/e/orders.png', caller), unreadable);
    },
    '/e/{imageName}.svg': async ({ name }, caller) => answerOf(await get(`/e/${name}.svg`, caller), unreadable),
    '/badge/{badgeName}.svg': async ({ name }, caller) => answerOf(await get(`/badge/${name}.svg`, caller), unreadable),
    '/feed/{feedName}.atom': async ({ name }, caller) => answerOf(await get(`/feed/${name}.atom`, caller), unreadable),
    MCP: async ({ name }, { headers }) => {
      const client = await connectHttp({ service: { url } }, '2026-07-28', headers);
      try {
        const { isError, content, error } = await call(client, name);
        if (!isError) return { status: 200, rows: (content as { rows: Row[] }).rows };
        return { status: error?.code === 'access_denied' ? 403 : 401 };
      } finally {
        await client.close();
      }
    },
  };

  for (const way of Object.keys(ways)) {
    it(`${way}: each of ${DEFINITIONS.length} definitions for each caller`, async () => {
      const read = ways[way] as Way;
      const differences: unknown[] = [];
      for (const definition of DEFINITIONS) {
        for (const caller of callers) {
          const got = await read(definition, caller);
          const all = expectedOf(definition, caller);
          // A plan would show facts about the rows of other callers.
          const isHidden = way === PLAN && definition.isRestricted === true && all.status === 200;
          const expected = isHidden ? { status: 403 } : all;
          const wanted = got.rows === undefined ? { status: expected.status } : expected;
          if (JSON.stringify({ ...got }) !== JSON.stringify(wanted))
            differences.push([definition.name, caller.name, { got, wanted }]);
        }
      }
      expect(differences).to.deep.equal([]);
    });
  }

  it('lists the tools of MCP that a caller can call', async () => {
    for (const caller of callers.filter(({ isValid }) => isValid)) {
      const client = await connectHttp({ service: { url } }, '2026-07-28', caller.headers);
      const { tools } = await client.listTools();
      await client.close();
      const allowed = DEFINITIONS.filter((definition) => expectedOf(definition, caller).status === 200).map(
        ({ name }) => name,
      );
      expect(tools.map(({ name }) => name).sort(), caller.name).to.deep.equal(allowed.sort());
    }
  });

  it('shows the allowed values of a parameter only to callers of its definition', async () => {
    const ofCountries = DEFINITIONS.find(({ name }) => name === 'countries-of-orders') as TestedDefinition;
    for (const caller of callers) {
      const { status } = await get('/q/choices/countries-of-orders/country/', caller);
      const expected = expectedOf({ ...ofCountries, claims: [] }, caller);
      expect(status, caller.name).to.equal(expected.status);
    }
    const described = await (await get('/openapi.json', callers[0] as Caller)).text();
    expect(described).not.to.match(/JP/);
  });

  it('has a way for each operation of the service', async () => {
    const { paths } = (await (await get('/openapi.json', callers[0] as Caller)).json()) as { paths: object };
    const others = Object.keys(paths).filter(
      (path) => !path.startsWith('/v1/') && !path.startsWith('/q/') && !(path in ways),
    );
    expect(others.sort()).to.deep.equal(WITHOUT_ROWS);
    const named = Object.keys(paths).filter((path) => path.startsWith('/q/') && !(path in ways));
    const expected = [...DEFINITIONS.map(({ name }) => `/q/${name}`), '/q/choices/{queryName}/{parameter}/'];
    expect(named.sort()).to.deep.equal(expected.sort());
  });
});

/** Operations that return no rows of definitions. A new operation must be added here, or to the ways. */
const WITHOUT_ROWS: readonly string[] = [
  '/',
  '/console/definitions/',
  '/console/definitions/{queryName}/',
  '/console/page/',
  '/console/pages/',
  '/console/pages/{pageName}/',
  '/console/session/',
  '/docs/json',
  '/healthy/',
  '/livez',
  '/openapi-3.0.json',
  '/openapi.json',
  '/readyz',
  '/robots.txt',
  '/sitemap.xml',
];

/** Whether a caller can read a definition, written independently of the program. */
function hasRight({ access = ['key'], name, tags = [] }: TestedDefinition, { id, roles, scopes }: Rights): boolean {
  if (access.includes('public')) return true;
  if (id === '') return false;
  const inScope =
    scopes === undefined || scopes.some((one) => [name, '*', ...tags.map((tag) => `tag:${tag}`)].includes(one));
  const isOfKind =
    access.includes('signed-in') ||
    (access.includes('key') && scopes !== undefined) ||
    (access.includes('role:staff') && roles.includes('staff'));
  return inScope && isOfKind;
}

function expectedOf(definition: TestedDefinition, caller: Caller): Answer {
  const isPublic = definition.access?.includes('public') === true;
  const hasKey = 'X-API-Key' in caller.headers;
  if (!caller.isValid && (hasKey || !isPublic)) return { status: 401 };
  if (!isPublic && caller.id === '') return { status: 401 };
  const isAllowed = hasRight(definition, caller) && definition.claims.every((claim) => isUsable(claim, caller));
  return isAllowed ? { status: 200, rows: definition.rowsOf(caller) } : { status: 403 };
}

function isUsable(claim: string, { claims }: Rights): boolean {
  const value = claims[claim];
  return claim === 'region' ? Number.isInteger(value) : typeof value === 'string' && value !== '';
}

async function createCallers(folder: string): Promise<Caller[]> {
  const key = async (name: string, words: readonly string[], rights: Partial<Rights>): Promise<Caller> => {
    const { id, secret } = await createKey(folder, [name, ...words]);
    const all = { isValid: true, roles: [], claims: {}, scopes: ['*'], ...rights };
    return { ...all, name, id: `key:${id}`, headers: { 'X-API-Key': secret } };
  };
  const token = async (
    name: string,
    claims: Readonly<Record<string, unknown>>,
    rights: Partial<Rights> = {},
  ): Promise<Caller> => {
    const signed = await signToken(
      RULES,
      rights.isValid === false ? `another ${SECRET}` : SECRET,
      { sub: name, ...claims },
      LIFETIME,
      ISSUED,
    );
    const all = { isValid: true, roles: [], claims, ...rights };
    return { ...all, name, id: name, headers: { Authorization: `Bearer ${signed}` } };
  };
  const every = ['--scope', '*'];
  const revoked = await key('revoked', [...every, '--claim', 'tenant=acme'], { isValid: false });
  await run(['keys', 'revoke', 'revoked', '--yes'], { cwd: folder });
  const acme = await key('acme', [...every, '--claim', 'tenant=acme', '--claim', 'region=3'], {
    claims: { tenant: 'acme', region: 3 },
  });
  return [
    { name: 'anonymous', isValid: true, id: '', roles: [], claims: {}, headers: {} },
    {
      name: 'forged',
      isValid: false,
      id: '',
      roles: [],
      claims: {},
      headers: { 'X-API-Key': `rik_${acme.id.slice(4)}_${'a'.repeat(43)}` },
    },
    revoked,
    acme,
    { ...acme, name: 'acme as bearer', headers: { Authorization: `Bearer ${acme.headers['X-API-Key']}` } },
    await key('other', [...every, '--claim', 'tenant=other'], { claims: { tenant: 'other' } }),
    await key('unclaimed', every, {}),
    await key('staff', [...every, '--role', 'staff', '--claim', 'region=4'], {
      roles: ['staff'],
      claims: { region: 4 },
    }),
    await key('scoped to a name', ['--scope', 'orders', '--claim', 'tenant=acme'], {
      scopes: ['orders'],
      claims: { tenant: 'acme' },
    }),
    await key('scoped to a tag', ['--scope', 'tag:Reports', '--claim', 'tenant=other'], {
      scopes: ['tag:Reports'],
      claims: { tenant: 'other' },
    }),
    await token('ada', { tenant: 'acme', region: '3' }),
    await token('bo', { tenant: 'other', roles: ['staff', 'writer'], region: 9 }, { roles: ['staff', 'writer'] }),
    await token('cy', { tenant: ['acme'], roles: 'reader staff' }, { roles: ['reader', 'staff'] }),
    await token('wrong', { tenant: 'acme' }, { isValid: false }),
  ];
}
