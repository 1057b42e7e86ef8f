import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isSameClient } from './sign-in-provider.js';

/** The faulty answer for a path: a status with a body, or a kind of failure. */
export type Fault = { readonly status?: number; readonly body: string } | 'drips' | 'floods' | 'redirects';

/**
 * A local provider of plain OAuth 2 that behaves like GitHub: errors of the token endpoint have the status 200, JSON is only returned on
 * request, and the callback contains an issuer that is not configured.
 */
export interface OauthTestProvider {
  readonly environment: Readonly<Record<string, string>>;
  readonly next: {
    /** The user of the next sign-in. */
    user: unknown;
    /** The e-mail addresses of the user. */
    emails: unknown;
    faults: Record<string, Fault>;
    /** Wrong query parameters in the callback; null omits one. */
    wrongWay: Record<string, string | null>;
  };
  /** The requested paths, in order. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** The prefix of every access token of this provider. */
export const TOKEN_MARK = 'gho_secret';

export async function startOauthProvider(): Promise<OauthTestProvider> {
  const codes = new Map<string, URLSearchParams>();
  const tokens = new Set<string>();
  const readers = new Set<string>();
  const asked: string[] = [];
  const next: OauthTestProvider['next'] = { user: {}, emails: [], faults: {}, wrongWay: {} };
  const routes: Record<string, (request: IncomingMessage, url: URL, response: ServerResponse) => Promise<void> | void> =
    {
      '/authorize': (_request, { searchParams }, response) => {
        const code = randomBytes(8).toString('hex');
        codes.set(code, searchParams);
        const way = new URL(searchParams.get('redirect_uri') ?? '');
        const parameters = {
          code,
          state: searchParams.get('state'),
          iss: 'https://host.example/oauth',
          ...next.wrongWay,
        };
        for (const [name, value] of Object.entries(parameters)) if (value !== null) way.searchParams.set(name, value);
        response.writeHead(302, { Location: way.href }).end();
      },
      '/token': async (request, _url, response) => {
        const form = new URLSearchParams(await text(request));
        const begun = codes.get(form.get('code') ?? '');
        codes.delete(form.get('code') ?? '');
        if (form.get('client_secret') !== SECRET) return json(response, { error: 'incorrect_client_credentials' });
        if (begun === undefined || !isSameClient(begun, form)) return json(response, BAD_CODE);
        const token = `${TOKEN_MARK}_${randomBytes(8).toString('hex')}`;
        tokens.add(token);
        if (begun.get('scope') === 'user:email') readers.add(token);
        const answer = { access_token: token, scope: '', token_type: 'bearer' };
        if (request.headers.accept === 'application/json') json(response, answer);
        else response.end(new URLSearchParams(answer).toString());
      },
      '/user': ({ headers }, _url, response) => {
        const [scheme, token = ''] = headers.authorization?.split(' ') ?? [];
        // A token is only valid once, to check that the service does not store and reuse it.
        if (scheme === 'Bearer' && tokens.delete(token)) json(response, next.user);
        else json(response, { message: 'Bad credentials' }, 401);
      },
      '/user/emails': ({ headers }, _url, response) => {
        if (readers.delete(headers.authorization?.replace('Bearer ', '') ?? '')) json(response, next.emails);
        else json(response, { message: 'Not Found' }, 404);
      },
    };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://127.0.0.1');
    asked.push(url.pathname);
    const fault = next.faults[url.pathname];
    if (fault === undefined) void routes[url.pathname]?.(request, url, response);
    else fail(response, fault);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    environment: {
      OAUTH_PROVIDER: `tests ${url}/authorize ${url}/token ${url}/user`,
      OIDC_CLIENT_ID: 'insight-client',
      OIDC_CLIENT_SECRET: SECRET,
    },
    next,
    asked,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const SECRET = 'a secret of the client';

const BAD_CODE = { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' };

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

function fail(response: ServerResponse, fault: Fault): void {
  if (fault === 'redirects') response.writeHead(302, { Location: '/elsewhere' }).end();
  else if (fault === 'drips') response.writeHead(200, { 'Content-Type': 'application/json' }).write('{"id":1,');
  else if (fault === 'floods') json(response, { id: 1, login: 'ada', more: 'x'.repeat(2_000_000) });
  else response.writeHead(fault.status ?? 200, { 'Content-Type': 'application/json' }).end(fault.body);
}
