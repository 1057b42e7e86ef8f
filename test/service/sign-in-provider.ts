import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { END_OF_TOKENS, SYSTEM_TIME } from './demo-service.js';

/** A local OpenID Connect provider that signs in every browser immediately. */
export interface TestProvider {
  readonly issuer: string;
  readonly clientId: string;
  /** The settings with which a service uses this provider. */
  readonly environment: Readonly<Record<string, string>>;
  /** The user and the faults for the next sign-in. */
  readonly next: {
    claims: JWTPayload & { sub: string };
    /** Wrong claims of the ID token. */
    wrong: JWTPayload;
    /** Wrong query parameters in the callback; null omits one. */
    wrongWay: Record<string, string | null>;
    /** Wrong header parameters of the ID token. */
    header: Readonly<Record<string, unknown>>;
    /** Additional members of the user info. */
    userInfo: JWTPayload;
    /** The fault for each path: status 500, no answer, an invalid answer, a too large answer, or an endless one (64 MB). */
    broken: Record<string, 'fails' | 'stalls' | 'garbles' | 'floods' | 'endless'>;
    /** Changed members of the discovery document; undefined omits a member. */
    metadata: Readonly<Record<string, unknown>>;
    /** The published keys, if they differ from the real key. */
    published: readonly unknown[] | undefined;
    /** How the client must send its secret. */
    authentication: 'form' | 'header';
    /** Fixed answers by path. */
    texts: Record<string, { readonly status: number; readonly body: string }>;
    /** Promises by path. A request for a path is answered after its promise has resolved. */
    held: Record<string, Promise<void>>;
    isForged: boolean;
  };
  /** The number of bytes that endless answers have sent. */
  readonly sent: { endless: number };
  /** The number of requests by path. */
  readonly requests: Map<string, number>;
  readonly url: (path: string) => string;
  /** Creates a signed token of this issuer. */
  sign(claims: Readonly<Record<string, unknown>>, header?: Record<string, unknown>): Promise<string>;
  /** Replaces the signing key and the published key. */
  rotate(): Promise<void>;
  /** Stops the provider; `open` starts it again on the same port. */
  shut(): Promise<void>;
  open(): Promise<void>;
}

interface SigningKey {
  readonly id: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

export async function startProvider(): Promise<TestProvider> {
  let key = await makeKey();
  const codes = new Map<string, URLSearchParams>();
  const requests = new Map<string, number>();
  const sent = { endless: 0 };
  const next: TestProvider['next'] = { ...USUAL, claims: { sub: '1' } };
  let issuer = '';
  const sign = async (claims: Readonly<Record<string, unknown>>, header = {}, by = key) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: by.id, ...header }).sign(by.privateKey);

  const routes: Record<string, (request: IncomingMessage, url: URL) => Promise<Reply> | Reply> = {
    '/.well-known/openid-configuration': () => ({ body: { ...metadataOf(issuer), ...next.metadata } }),
    '/keys': () => ({ body: { keys: next.published ?? [key.publicJwk] } }),
    '/authorize': (_request, { searchParams }) => {
      const code = randomBytes(8).toString('hex');
      codes.set(code, searchParams);
      const way = new URL(searchParams.get('redirect_uri') ?? '');
      const parameters = { code, state: searchParams.get('state'), iss: issuer, ...next.wrongWay };
      for (const [name, value] of Object.entries(parameters)) if (value !== null) way.searchParams.set(name, value);
      return { status: 302, headers: { Location: way.href } };
    },
    '/token': async (request) => {
      const form = new URLSearchParams(await text(request));
      const asked = codes.get(form.get('code') ?? '');
      codes.delete(form.get('code') ?? '');
      const secrets = { form: form.get('client_secret'), header: readBasicSecret(request.headers.authorization) };
      const other = next.authentication === 'form' ? secrets.header : secrets.form;
      if (secrets[next.authentication] !== SECRET || other !== null) {
        return { status: 401, body: { error: 'invalid_client' } };
      }
      // A client that authenticates in the header need not send its id in the body.
      if (next.authentication === 'header') form.set('client_id', CLIENT);
      if (asked === undefined || !isSameClient(asked, form)) return { status: 400, body: { error: 'invalid_grant' } };
      const claims = {
        iss: issuer,
        aud: CLIENT,
        iat: SYSTEM_TIME.getTime() / 1_000,
        exp: END_OF_TOKENS / 1_000,
        nonce: asked.get('nonce'),
      };
      const token = { ...claims, sub: next.claims.sub, ...next.wrong } as JWTPayload;
      const idToken = await sign(token, next.header, next.isForged ? { ...(await makeKey(key)), id: key.id } : key);
      return { body: { access_token: 'access', token_type: 'bearer', id_token: idToken } };
    },
    '/userinfo': ({ headers }) =>
      headers.authorization === 'Bearer access'
        ? { body: { ...next.claims, ...next.userInfo } }
        : { status: 401, body: {} },
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', issuer);
    requests.set(url.pathname, (requests.get(url.pathname) ?? 0) + 1);
    await next.held[url.pathname];
    const fault = next.broken[url.pathname];
    const text = next.texts[url.pathname];
    if (text !== undefined)
      return void response.writeHead(text.status, { 'Content-Type': 'application/json' }).end(text.body);
    if (fault === 'stalls') return;
    if (fault === 'endless') return sendEndless(response, sent);
    if (fault === 'garbles')
      return void response.setHeader('Content-Type', 'text/html').end('<p>Not what you want</p>');
    if (fault === 'floods')
      return void response.setHeader('Content-Type', 'application/json').end(`{"more":"${'x'.repeat(2_000_000)}"}`);
    const found = routes[url.pathname];
    const reply = fault === 'fails' || found === undefined ? { status: 500, body: {} } : await found(request, url);
    response.writeHead(reply.status ?? 200, { 'Content-Type': 'application/json', ...reply.headers });
    response.end(reply.body === undefined ? '' : JSON.stringify(reply.body));
  };
  const server = createServer((request, response) => void answer(request, response));
  const open = async (port = 0) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await open();
  const { port } = server.address() as AddressInfo;
  issuer = `http://127.0.0.1:${port}`;
  return {
    issuer,
    clientId: CLIENT,
    environment: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT, OIDC_CLIENT_SECRET: SECRET },
    next,
    sent,
    requests,
    url: (path) => issuer + path,
    sign,
    rotate: async () => {
      key = await makeKey(key);
    },
    shut: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
    open: () => open(port),
  };
}

/** The values of `next` for a provider without faults. */
export const USUAL = {
  wrong: {},
  wrongWay: {},
  header: {},
  userInfo: {},
  broken: {},
  metadata: {},
  published: undefined,
  authentication: 'form',
  texts: {},
  held: {},
  isForged: false,
} satisfies Partial<TestProvider['next']>;

const CLIENT = 'insight-client';
const SECRET = 'a secret: of the client';

/** Returns the client secret in the header; null if it is absent. Id and secret are form-encoded (RFC 6749, section 2.3.1). */
function readBasicSecret(authorization: string | undefined): string | null {
  if (authorization === undefined) return null;
  const pair = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString();
  const [id = '', secret = ''] = pair.split(':').map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
  return id === CLIENT ? secret : '';
}

interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

const pairs: ReturnType<typeof generateKeyPair>[] = [];
let turn = 0;

async function sendEndless(response: ServerResponse, sent: { endless: number }): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'application/json' }).write('{"keys":[],"more":"');
  const chunk = 'x'.repeat(64 * 1024);
  const chunks = function* () {
    for (let bytes = 0; bytes < 64 * 1024 * 1024; bytes += chunk.length) {
      sent.endless += chunk.length;
      yield chunk;
    }
  };
  // Ignored, because the client closes the connection early.
  await pipeline(chunks, response, { end: false }).catch(() => undefined);
}

/** Returns a key that differs from another one. All providers share a few keys, because creating a key needs much CPU time. */
async function makeKey(other?: SigningKey): Promise<SigningKey> {
  turn = (turn + 1) % 3;
  pairs[turn] ??= generateKeyPair('RS256');
  const { privateKey, publicKey } = (await pairs[turn]) as Awaited<ReturnType<typeof generateKeyPair>>;
  if (privateKey === other?.privateKey) return makeKey(other);
  const id = randomBytes(4).toString('hex');
  return { id, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid: id, alg: 'RS256', use: 'sig' } };
}

function metadataOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
}

export function isSameClient(asked: URLSearchParams, form: URLSearchParams): boolean {
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  return (
    asked.get('code_challenge_method') === 'S256' &&
    asked.get('code_challenge') === challenge &&
    asked.get('client_id') === form.get('client_id') &&
    asked.get('redirect_uri') === form.get('redirect_uri')
  );
}
