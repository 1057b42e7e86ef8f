import { type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Envelope, EnvelopeResult } from '../../engine/index.js';

/** Asks at the same time, so many times; gives how often each status came. */
export async function burst(url: string, times: number): Promise<Record<number, number>> {
  const statuses = await Promise.all(
    Array.from({ length: times }, async () => {
      const response = await fetch(url);
      await response.arrayBuffer();
      return response.status;
    }),
  );
  return countOf(statuses);
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
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly result: EnvelopeResult | undefined;
}

/** Asks on a connection of its own, which `fetch` cannot open from another address. */
export async function ask(url: string, { method = 'GET', headers = {}, from }: Asking = {}): Promise<Answered> {
  const address = from === undefined ? {} : { localAddress: from };
  const sent = request(url, { method, headers, agent: false, ...address });
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
