import { type Agent, request as send } from 'node:http';
import { gunzipSync } from 'node:zlib';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Sends a GET request. Returns undefined if the connection failed or ended early, or if the request was aborted. */
export function get(
  agent: Agent,
  url: string,
  headers: Record<string, string>,
  abort: boolean,
): Promise<HttpAnswer | undefined> {
  return new Promise((resolve) => {
    const request = send(url, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => resolve(undefined));
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const body = (response.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      });
      response.on('close', () => resolve(undefined));
    });
    request.on('error', () => resolve(undefined));
    request.end();
    if (abort) setImmediate(() => request.destroy());
  });
}
