import { expect } from 'chai';
import type { Operation } from '../../engine/http/operations/operation.js';
import { describeOperations } from '../../server/describe-operations.js';
import { useMysql } from '../services/mysql.js';
import { startTcpProxy, type TcpProxy } from '../services/tcp-proxy.js';
import { type DemoService, startDemoService, tokenOf } from './demo-service.js';
import { exampleRequest } from './example-request.js';

describe('hand-written operations without their database', () => {
  const server = useMysql();
  let proxy: TcpProxy;
  let demo: DemoService;
  before(async () => {
    const url = new URL(server.url);
    proxy = await startTcpProxy(Number(url.port));
    url.port = String(proxy.port);
    demo = await startDemoService({ ...server.environment, DATABASE_URL: url.href }, { stateMs: STATE_MS });
    // This request caches the user, so that later requests do not already fail at the query for the user.
    await demo.as('octavia', '/user/');
  });
  after(async () => {
    proxy.resume();
    await demo.close();
    await proxy.close();
  });

  /** Requests the example of an operation. `get` fails if the answer does not match its API description. */
  const ask = async (operation: Operation) => {
    const { id, method, path, isPersonal, body } = exampleRequest(operation);
    const headers = {
      'Content-Type': 'application/json',
      ...(isPersonal ? { Authorization: `Bearer ${await tokenOf('octavia')}` } : {}),
    };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await demo.get(path, init);
    return { id, isTrue: response.status === 503 ? response.headers.has('Retry-After') : response.status === 504 };
  };

  it('answer as described while it does not respond', async () => {
    proxy.stall();
    expect(await Promise.all(OPERATIONS.map(ask))).to.deep.equal(ALL_TRUE);
  });

  it('answer as described while it is unreachable', async () => {
    await proxy.close();
    expect(await Promise.all(OPERATIONS.map(ask))).to.deep.equal(ALL_TRUE);
  });
});

/** The time that changes wait for a database that does not respond. */
const STATE_MS = 10_000;

/** Operations that run no database query. */
const WITHOUT = new Set([
  ...['home', 'live', 'openapi', 'openapi-3-0', 'swagger', 'other-api', 'list-tables', 'get-table', 'choices'],
  ...['list-definitions', 'get-definition', 'console-session', 'list-pages', 'get-page', 'find-page'],
  ...['robots', 'sitemap'],
  // These reject a token that is not from this service.
  ...['show-unsubscribe', 'unsubscribe-by-link'],
]);
/** Operations that run definitions or SQL of users, and have separate time limits. */
const LONGER = new Set([
  ...['playground', 'plan-playground', 'draft-definition'],
  ...['named-query', 'explain-named-query', 'endpoint-svg', 'endpoint-png', 'badge', 'feed'],
]);

const OPERATIONS = describeOperations([]).operations.filter(({ id }) => !WITHOUT.has(id) && !LONGER.has(id));
const ALL_TRUE = OPERATIONS.map(({ id }) => ({ id, isTrue: true }));
