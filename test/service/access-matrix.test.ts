import { expect } from 'chai';
import { deleteOwnedRows } from '../../explorer/retention/owned-rows.js';
import { Browser } from './browser.js';
import {
  createUsers,
  type DemoService,
  END_OF_TOKENS,
  SYSTEM_TIME,
  startDemoService,
  waitForPlayground,
} from './demo-service.js';
import { FEW_ENDPOINTS } from './few-endpoints.js';
import { startProvider, type TestProvider } from './sign-in-provider.js';
import { PUBLIC_URL } from './sign-in-service.js';

const METRICS_TOKEN = 'a-token-of-these-tests-with-32-bytes';

/** The columns of `TABLE`. `ada` asked the question, and is the user of the sessions. */
const CALLERS = [
  'anonymous',
  'ada',
  'another user',
  'operator',
  'expired token',
  'other audience',
  'other issuer',
  'removed user',
  'ID token',
  'session',
  'session from elsewhere',
  'metrics token',
  'key of ada',
];

/**
 * The status for each caller, in the order of `CALLERS`. Open operations ignore credentials. A request with a session that changes data
 * must come from a page of the service.
 */
const TABLE: Readonly<Record<string, string>> = {
  'GET /': '200 200 200 200 200 200 200 200 200 200 200 200 200',
  'GET /healthy/': '200 200 200 200 200 200 200 200 200 200 200 200 200',
  'GET /livez': '200 200 200 200 200 200 200 200 200 200 200 200 200',
  'GET /readyz': '200 200 200 200 200 200 200 200 200 200 200 200 200',
  'GET /metrics': '401 401 401 401 401 401 401 401 401 401 401 200 401',
  'GET /openapi.json': '200 200 200 200 200 200 200 200 200 200 200 200 200',
  'GET /v1/collections/': '200 200 200 200 200 200 200 200 200 200 200 200 200',
  'GET /v1/collections/?format=csv': '200 200 200 200 200 200 200 200 200 200 200 200 200',
  'GET /q/list-collections': '200 200 200 200 200 200 200 200 200 200 200 200 200',
  'GET /q/tables/': '200 200 200 200 200 200 200 200 200 200 200 200 200',
  'POST /q/playground/ {"sql":"SELECT 1 AS a"}': '200 200 200 200 200 200 200 200 200 200 200 200 200',
  'GET /collections/': '200 200 200 200 200 200 200 200 200 200 200 200 200',
  'GET /gh/repos/search/?keyword=a': '200 200 200 200 200 200 200 200 200 200 200 200 200',
  'GET /console/definitions/': '200 200 200 200 200 200 200 200 200 200 200 200 200',
  'GET /console/session/': '200 200 200 200 200 200 200 200 200 200 200 200 200',
  'GET /console/operator/': '401 403 403 200 401 401 401 404 401 403 403 401 401',
  'GET /user/': '401 200 200 200 401 401 401 404 401 200 200 401 401',
  'GET /user/email-updates/': '401 200 200 200 401 401 401 404 401 200 200 401 401',
  'PUT /user/email-updates/ {"enable":true}': '401 200 200 200 401 401 401 404 401 200 403 401 401',
  'GET /user/digest/': '401 200 200 200 401 401 401 404 401 200 200 401 401',
  'PUT /user/digest/ {"enable":true}': '401 200 200 200 401 401 401 404 401 200 403 401 401',
  // Not a token of this service.
  'GET /unsubscribe/1.a/': '404 404 404 404 404 404 404 404 404 404 404 404 404',
  'POST /unsubscribe/1.a/ {}': '404 404 404 404 404 404 404 404 404 404 404 404 404',
  'DELETE /user/ {"login":"not mine"}': '401 400 400 400 401 401 401 404 401 400 403 401 401',
  'GET /user/export/': '401 200 200 200 401 401 401 404 401 200 200 401 401',
  'GET /user/sessions/': '401 200 200 200 401 401 401 404 401 200 200 401 401',
  'DELETE /user/sessions/9f86d081884c/': '401 404 404 404 401 401 401 404 401 404 403 401 401',
  'GET /user/keys/': '401 200 200 200 401 401 401 404 401 200 200 401 401',
  'POST /user/keys/ {"name":"new"}': '401 201 201 201 401 401 401 404 401 201 403 401 401',
  'DELETE /user/keys/00000000/': '401 404 404 404 401 401 401 404 401 404 403 401 401',
  'POST /explorer/answer/ {"question":"How many collections are there?"}':
    '401 422 422 422 401 401 401 404 401 422 403 401 422',
  'GET /user/subscriptions/': '401 200 200 200 401 401 401 404 401 200 200 401 401',
  'PUT /repos/{repository}/subscribe/': '401 200 200 200 401 401 401 404 401 200 403 401 401',
  'PUT /repos/{repository}/unsubscribe/': '401 200 200 200 401 401 401 404 401 200 403 401 401',
  'GET /user/questions/': '401 200 200 200 401 401 401 404 401 200 200 401 401',
  'GET /explorer/questions/{question}/': '200 200 200 200 200 200 200 200 200 200 200 200 200',
  'POST /explorer/questions/{question}/cancel/': '401 200 404 404 401 401 401 404 401 200 403 401 401',
  'POST /explorer/questions/{question}/feedback/ {"satisfied":true}':
    '401 200 200 200 401 401 401 404 401 200 403 401 401',
  'POST /explorer/questions/{question}/tags/ {"tagIds":[]}': '401 403 403 200 401 401 401 404 401 403 403 401 401',
  'POST /explorer/questions/recommend/batchRefresh/': '401 403 403 200 401 401 401 404 401 403 403 401 401',
  // The request of `ada` ends the session.
  'DELETE /user/sessions/': '401 204 204 204 401 401 401 404 401 401 403 401 401',
};

describe('the access of callers to operations', () => {
  let provider: TestProvider;
  let demo: DemoService;
  let question: string;
  /** For each caller by name: sends a request as this caller. */
  let send: Readonly<Record<string, (path: string, init: RequestInit) => Promise<Response>>>;

  before(async () => {
    provider = await startProvider();
    demo = await startDemoService({
      ...provider.environment,
      PUBLIC_URL,
      JWT_ISSUER: provider.issuer,
      JWT_JWKS_URL: provider.url('/keys'),
      JWT_SECRET: '',
      SESSION_SECRET: 'a secret of 32 bytes for sessions',
      METRICS_TOKEN,
      ENDPOINTS_DIR: FEW_ENDPOINTS,
    });
    await waitForPlayground(demo);
    send = await createSenders(demo, provider);
    const init = { method: 'POST', headers: JSON_TYPE, body: '{"question":"How many collections are there?"}' };
    const asked: unknown = await (await send.ada?.('/explorer/questions/', init))?.json();
    question = (asked as { id: string }).id;
  });
  after(async () => {
    await demo?.close();
    await provider?.shut();
  });

  it('has the stated status for every caller and operation', async () => {
    const statuses: Record<string, string> = {};
    for (const operation of Object.keys(TABLE)) {
      const [method = '', target = '', ...body] = operation.split(' ');
      const path = target.replace('{repository}', demo.repository).replace('{question}', question);
      const init = {
        method,
        ...(body.length > 0 && { headers: JSON_TYPE, body: body.join(' ') }),
        // A request with a signal is not checked against the API description, which does not contain `/metrics`.
        ...(path === '/metrics' && { signal: new AbortController().signal }),
      };
      const row: (number | undefined)[] = [];
      for (const caller of CALLERS) row.push((await send[caller]?.(path, init))?.status);
      statuses[operation] = row.join(' ');
    }
    expect([CALLERS.length, Object.keys(TABLE).length]).to.deep.equal([13, 41]);
    expect(statuses).to.deep.equal(TABLE);
  });
});

const JSON_TYPE = { 'Content-Type': 'application/json' };

async function createSenders(demo: DemoService, provider: TestProvider): Promise<typeof senders> {
  const now = SYSTEM_TIME.getTime() / 1_000;
  const tokenOf = (login: string, more: Readonly<Record<string, unknown>> = {}) =>
    provider.sign({
      iss: provider.issuer,
      aud: 'repo-insight',
      sub: `host|${login}`,
      nickname: login,
      iat: now,
      exp: END_OF_TOKENS / 1_000,
      ...more,
    });
  const withBearer = (token: string) => (path: string, init: RequestInit) =>
    demo.get(path, { ...init, headers: { ...init.headers, Authorization: `Bearer ${token}` } });
  const userOf = async (login: string) => {
    const token = await tokenOf(login);
    const { id } = (await (await withBearer(token)('/user/', {})).json()) as { id: number };
    return { id, send: withBearer(token) };
  };
  const users = createUsers(demo.database, demo.state, { SESSION_SECRET: 'a secret of 32 bytes for sessions' });
  const [ada, another, operator, removed] = [
    await userOf('ada'),
    await userOf('bob'),
    await userOf('otto'),
    await userOf('gone'),
  ];
  await users.setTrusted(operator.id, true, SYSTEM_TIME);
  await users.remove(removed.id, SYSTEM_TIME, deleteOwnedRows);
  provider.next.claims = { sub: 'host|ada', nickname: 'ada' };
  const browser = new Browser(PUBLIC_URL, demo);
  await browser.visit('/sign-in/?return_to=/user/');
  const cookie = [...browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
  const created = await ada.send('/user/keys/', { method: 'POST', headers: JSON_TYPE, body: '{"name":"script"}' });
  const { secret } = (await created.json()) as { readonly secret: string };
  const senders: Readonly<Record<string, (path: string, init: RequestInit) => Promise<Response>>> = {
    anonymous: (path, init) => demo.get(path, init),
    ada: ada.send,
    'another user': another.send,
    operator: operator.send,
    'expired token': withBearer(await tokenOf('ada', { exp: now - 31 })),
    'other audience': withBearer(await tokenOf('ada', { aud: provider.clientId })),
    'other issuer': withBearer(await tokenOf('ada', { iss: 'https://other.example' })),
    'removed user': removed.send,
    'ID token': withBearer(await tokenOf('ada', { nonce: 'of a sign-in' })),
    session: (path, init) => browser.request(path, init),
    'session from elsewhere': (path, init) => demo.get(path, { ...init, headers: { ...init.headers, Cookie: cookie } }),
    'metrics token': withBearer(METRICS_TOKEN),
    'key of ada': (path, init) => demo.get(path, { ...init, headers: { ...init.headers, 'X-API-Key': secret } }),
  };
  return senders;
}
