import { once } from 'node:events';
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { PrivateServer } from '../services/private-server.js';
import type { ReverseProxy } from '../services/reverse-proxies.js';

export interface ProxyAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface ProxyRequest extends Pick<RequestOptions, 'method' | 'headers' | 'localAddress'> {
  readonly body?: string;
}

/** Sends a request to the proxy on a new connection, and returns the answer when its headers have arrived. */
export async function open(
  { protocol }: ReverseProxy,
  { port }: PrivateServer,
  path: string,
  { body, ...options }: ProxyRequest = {},
): Promise<IncomingMessage> {
  // The certificate is self-signed, so it is not verified.
  const more = { host: '127.0.0.1', port, path, agent: false as const, rejectUnauthorized: false };
  const send = protocol === 'https:' ? requestHttps : requestHttp;
  const request = send({ ...more, ...options });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

/** Sends a request to the proxy and returns the complete answer. */
export async function ask(
  proxy: ReverseProxy,
  server: PrivateServer,
  path: string,
  options: ProxyRequest = {},
): Promise<ProxyAnswer> {
  const response = await open(proxy, server, path, options);
  let body = '';
  for await (const chunk of response.setEncoding('utf8')) body += chunk;
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}
