import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Envelope, EnvelopeResult } from '../../http/envelopes/envelope.js';

/** Asks at the same time, so many times; gives how often each status came. */
export async function burst(url: string, times: number): Promise<Record<number, number>> {
  // More would overflow the server's queue of connections, and be connected seconds later.
  const agent = new Agent({ keepAlive: true, maxSockets: 400 });
  const answers = await Promise.all(Array.from({ length: times }, () => ask(url, { agent })));
  agent.destroy();
  return countOf(answers.map(({ status }) => status));
}

/** How often each of the statuses is there. */
export function countOf(statuses: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

export interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The address of this machine that the request comes from, such as `127.0.0.2`. */
  readonly from?: string;
  /** Whose connections are used; a connection of its own when left out. */
  readonly agent?: Agent;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly result: EnvelopeResult | undefined;
}

/** Unlike `fetch`, asks from any address of this machine. */
export async function ask(url: string, { method = 'GET', headers = {}, from, agent }: Asking = {}): Promise<Answered> {
  const address = from === undefined ? {} : { localAddress: from };
  const sent = request(url, { method, headers, agent: agent ?? false, ...address });
  return new Promise((resolve, reject) => {
    sent.on('error', reject);
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
