import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Envelope, EnvelopeResult } from '../../engine/http/envelopes/envelope.js';

/** Sends `times` concurrent requests from an address and returns the number of answers by status. */
export async function burst(url: string, times: number, from = '127.0.0.1'): Promise<Record<number, number>> {
  // With more connections, each would wait longer on a busy machine than the service waits for a request.
  const agent = new Agent({ keepAlive: true, maxSockets: 100 });
  const answers = await Promise.all(Array.from({ length: times }, () => ask(url, { agent, from })));
  agent.destroy();
  return countOf(answers.map(({ status }) => status));
}

/** Counts the answers by status. */
export function countOf(statuses: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

export interface RequestParts {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The local address from which the request is sent, for example `127.0.0.2`. */
  readonly from?: string;
  /** The agent whose connections are used. Without an agent, a new connection is used. */
  readonly agent?: Agent;
}

export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly result: EnvelopeResult | undefined;
}

/** Sends a request. Unlike `fetch`, it can use a specific local address. */
export async function ask(url: string, parts: RequestParts = {}): Promise<ReceivedAnswer> {
  const { method = 'GET', headers = {}, from, agent } = parts;
  const address = from === undefined ? {} : { localAddress: from };
  const sent = request(url, { method, headers, agent: agent ?? false, ...address });
  return new Promise((resolve, reject) => {
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The service closes idle connections. If a request is sent at the same moment, it is not read and must be sent again.
      if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(ask(url, parts));
      else reject(error);
    });
    sent.on('response', (response) => {
      text(response).then((body) => {
        const isJson = body !== '' && response.headers['content-type']?.includes('json');
        const result = isJson ? (JSON.parse(body) as Partial<Envelope>).data?.result : undefined;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, result });
      }, reject);
    });
    sent.end();
  });
}
