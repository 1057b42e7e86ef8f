import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  selectResourceURL,
} from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { signToken } from '../../accounts/identity/bearer-tokens.js';
import { createKey, DEFINITIONS, type TestedDefinition, writeTenants } from '../access/tenants.js';
import { listening, startHere, stopAll } from '../cli/command-line.js';
import { type DemoService, END_OF_TOKENS, JWT_SECRET, SYSTEM_TIME, startDemoService } from '../service/demo-service.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { call, connectHttp, connectStdio } from './mcp-client.js';

const PUBLIC_URL = 'https://insight.example/base';
const ISSUER = 'https://accounts.example/tenant';
const OF_ISSUER = { PUBLIC_URL, JWT_ISSUER: ISSUER };
const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const METADATA_URL = `${PUBLIC_URL}${WELL_KNOWN}/mcp`;
const MISSING = `Bearer realm="repo-insight", resource_metadata="${METADATA_URL}"`;
const INVALID = `Bearer realm="repo-insight", error="invalid_token", resource_metadata="${METADATA_URL}"`;
const FORGED = `rik_00000000_${'a'.repeat(43)}`;

type Headers = Readonly<Record<string, string>>;

const messageOf = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 7, method, params });
const toolCall = (name: string, given: object = {}) => messageOf('tools/call', { name, arguments: given });

async function send(url: string, body: unknown, headers: Headers = {}) {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const message = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as {
    readonly id?: unknown;
    readonly error?: { readonly message: string; readonly data?: { readonly code?: string } };
    readonly result?: { readonly isError?: boolean; readonly tools?: readonly unknown[] };
  };
  return { status: response.status, challenge: response.headers.get('www-authenticate'), response, message };
}

describe('the metadata of a protected resource', () => {
  let demo: DemoService;
  before(async () => {
    demo = await startDemoService({ ENDPOINTS_DIR: FEW_ENDPOINTS, ...OF_ISSUER });
  });
  after(() => demo.close());

  const tokenOf = (secret: string) =>
    signToken(
      { issuer: ISSUER, audience: 'repo-insight' },
      secret,
      { sub: 'ada', preferred_username: 'ada' },
      (END_OF_TOKENS - SYSTEM_TIME.getTime()) / 1_000,
      SYSTEM_TIME,
    );

  it('names the issuer of tokens, with the identifier that belongs to each path', async () => {
    for (const place of ['', '/mcp']) {
      const response = await demo.get(`${WELL_KNOWN}${place}`);
      expect([response.status, response.headers.get('content-type')]).to.deep.equal([
        200,
        'application/json; charset=utf-8',
      ]);
      expect(await response.json()).to.deep.equal({
        resource: `${PUBLIC_URL}${place}`,
        authorization_servers: [ISSUER],
        bearer_methods_supported: ['header'],
        resource_name: 'repo-insight',
      });
      expect((await demo.get(`${WELL_KNOWN}${place}/`)).status).to.equal(200);
      expect((await demo.get(`${WELL_KNOWN}${place}`, { method: 'POST' })).status).to.equal(405);
    }
    expect((await demo.get(`${WELL_KNOWN}/other`)).status).to.equal(404);
  });

  it('does not exist without a public URL, and without an issuer that is a URL', async () => {
    const { JWT_ISSUER, ...withoutIssuer } = OF_ISSUER;
    for (const environment of [{}, withoutIssuer, { JWT_ISSUER }, { ...withoutIssuer, JWT_ISSUER: 'accounts' }]) {
      const other = await startDemoService({ ENDPOINTS_DIR: FEW_ENDPOINTS, ...environment });
      try {
        for (const place of ['', '/mcp']) expect((await other.get(`${WELL_KNOWN}${place}`)).status).to.equal(404);
        const { status, challenge, message } = await send(
          other.service.url,
          toolCall('ask_question', { question: 'How many collections are there?' }),
        );
        // The result of the tool contains the error, because the client cannot sign in anywhere.
        expect([status, challenge, message.result?.isError]).to.deep.equal([200, null, true]);
      } finally {
        await other.close();
      }
    }
  });

  it('is found by the client of the protocol, from the answer to a call without a credential', async () => {
    const question = toolCall('ask_question', { question: 'How many collections are there?' });
    const { status, challenge, response, message } = await send(demo.service.url, question);
    expect([status, challenge, message.id, message.error?.data?.code]).to.deep.equal([
      ...[401, MISSING, 7, 'credential_missing'],
    ]);
    expect(response.headers.get('access-control-expose-headers')).to.include('WWW-Authenticate');
    const { resourceMetadataUrl } = extractWWWAuthenticateParams(response);
    const asked: string[] = [];
    const atService = (url: string | URL, init?: RequestInit) => {
      asked.push(String(url));
      return fetch(String(url).replace(PUBLIC_URL, demo.service.url), init);
    };
    const server = `${PUBLIC_URL}/mcp`;
    const metadata = await discoverOAuthProtectedResourceMetadata(
      server,
      resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl },
      atService,
    );
    expect([asked, metadata.authorization_servers]).to.deep.equal([[METADATA_URL], [ISSUER]]);
    const provider = {} as Parameters<typeof selectResourceURL>[1];
    expect(String(await selectResourceURL(server, provider, metadata))).to.equal(server);
    const headers = { Authorization: `Bearer ${await tokenOf(JWT_SECRET)}` };
    const answered = await send(demo.service.url, question, headers);
    expect([answered.status, answered.challenge]).to.deep.equal([200, null]);
  });

  it('is named for a credential that is not valid, and public calls need none', async () => {
    const question = toolCall('ask_question', { question: 'How many collections are there?' });
    const wrong = [
      { Authorization: `Bearer ${await tokenOf('another secret with thirty-two bytes')}` },
      { Authorization: 'Basic YTpi' },
      { Authorization: `Bearer ${FORGED}` },
      { 'X-API-Key': FORGED },
    ];
    for (const headers of wrong) {
      const { status, challenge, message } = await send(demo.service.url, question, headers);
      expect([status, challenge, message.error?.data?.code]).to.deep.equal([401, INVALID, 'credential_invalid']);
    }
    const open = [messageOf('tools/list'), messageOf('resources/list'), toolCall('list-collections')];
    for (const message of open) {
      const { status, message: answer } = await send(demo.service.url, message);
      expect([status, answer.error, answer.result?.isError ?? false]).to.deep.equal([200, undefined, false]);
    }
    // Each message of a batch has its own result.
    const batch = await send(demo.service.url, [question, toolCall('list-collections')], {
      'MCP-Protocol-Version': '2025-03-26',
    });
    expect(batch.status).to.equal(200);
    const unknown = await send(demo.service.url, toolCall('no-tool'));
    expect(unknown.status).to.equal(200);
    const odd = await send(demo.service.url, { ...question, id: { a: 1 } });
    expect([odd.status, odd.message.id]).to.deep.equal([401, null]);
  });

  it('has no effect on the limits: a rejected call counts like a call', async () => {
    const limited = await startDemoService({
      ...{ ENDPOINTS_DIR: FEW_ENDPOINTS, RATE_LIMIT_PER_HOUR: '3' },
      ...OF_ISSUER,
    });
    try {
      const question = toolCall('ask_question', { question: 'How many collections are there?' });
      const statuses = [];
      for (const headers of [{}, { 'X-API-Key': FORGED }, {}, {}, { 'X-API-Key': FORGED }])
        statuses.push((await send(limited.service.url, question, headers)).status);
      expect(statuses).to.deep.equal([401, 401, 401, 429, 429]);
      const { response } = await send(limited.service.url, question);
      expect(Number(response.headers.get('retry-after'))).to.be.above(0);
    } finally {
      await limited.close();
    }
  });

  it('does not keep the command mcp from naming what it needs', async () => {
    const client = await connectStdio({}, '2026-07-28', ['--url', `${demo.service.url}/mcp`]);
    try {
      const asked = client.callTool({
        name: 'ask_question',
        arguments: { question: 'How many collections are there?' },
      });
      const failure = await asked.then(String, (error: Error) => error.message);
      expect(failure).to.include('needs a valid credential: start the command with --token-file');
    } finally {
      await client.close();
    }
  });
});

describe('calls of tools of an API in a folder whose tokens another server issues', () => {
  let folder: string;
  let url: string;
  let secret: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-resource-'));
    await writeTenants(folder);
    ({ secret } = await createKey(folder, ['all', '--scope', '*', '--claim', 'tenant=acme', '--claim', 'region=3']));
    const environment = {
      PORT: '0',
      LOG_LEVEL: 'silent',
      JWT_SECRET: `${JWT_SECRET} in a folder`,
      RATE_LIMIT_PER_HOUR: '0',
    };
    url = await listening(
      startHere(['serve'], { cwd: folder, environment: { ...environment, RATE_LIMIT_PER_MINUTE: '0', ...OF_ISSUER } }),
    );
  });
  after(async () => {
    stopAll();
    await rm(folder, { recursive: true });
  });

  const isPublic = ({ access }: TestedDefinition) => access?.includes('public') === true;

  it('get 401 exactly if the tool is not public and the credential is missing or not valid', async () => {
    const callers: [string, Headers, string | undefined][] = [
      ['nothing', {}, MISSING],
      ['a forged key', { 'X-API-Key': FORGED }, INVALID],
      ['a wrong token', { Authorization: 'Bearer a.b.c' }, INVALID],
      ['a key', { 'X-API-Key': secret }, undefined],
    ];
    for (const [caller, headers, expected] of callers)
      for (const definition of DEFINITIONS) {
        const { status, challenge } = await send(url, toolCall(definition.name), headers);
        // A wrong key is rejected for public tools too.
        const isOpen = isPublic(definition) && !('X-API-Key' in headers);
        const wanted = expected === undefined || isOpen ? [200, null] : [401, expected];
        // A definition for a role is denied, which a new sign-in does not change.
        expect([status, challenge], `${definition.name} with ${caller}`).to.deep.equal(wanted);
      }
  });

  it('list the public tools without a credential, and get 401 for one that is not valid', async () => {
    const { status, message } = await send(url, messageOf('tools/list'));
    expect([status, message.result?.tools?.length]).to.deep.equal([200, DEFINITIONS.filter(isPublic).length]);
    const wrong = await send(url, messageOf('tools/list'), { 'X-API-Key': FORGED });
    expect([wrong.status, wrong.challenge]).to.deep.equal([401, INVALID]);
    const client = await connectHttp({ service: { url } }, '2025-11-25', { 'X-API-Key': secret });
    const { isError } = await call(client, 'orders');
    await client.close();
    expect(isError).to.equal(false);
  });
});
