import { type Agent, request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { SeenAnswer } from './answer-check.js';

/** A raw HTTP request. */
export interface SentRequest {
  readonly method: string;
  /** The path and query. Characters that HTTP does not allow are escaped. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** Sends a request unchanged. `fetch` cannot do this, because it adds headers and forbids some. */
export function send(url: string, agent: Agent, request: SentRequest): Promise<SeenAnswer> {
  const { method, path, body } = request;
  // For some methods, Node sends a body without Content-Length. The server would then read the body as the next
  // request.
  const headers = body === undefined ? request.headers : { ...request.headers, 'Content-Length': body.length };
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const sent = httpRequest({ hostname, port, method, path, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const header = (name: string) => response.headers[name.toLowerCase()]?.toString() ?? null;
        const decode = DECODERS[header('content-encoding') ?? 'identity'] ?? ((bytes) => bytes);
        const bytes = Buffer.concat(chunks);
        const text = bytes.length === 0 ? '' : decode(bytes).toString();
        resolve({ method, path, status: response.statusCode ?? 0, header, body: text });
      });
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close a keep-alive connection just when the client reuses it. In this case, the request is sent again.
      if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(send(url, agent, request));
      else reject(error);
    });
    sent.end(body);
  });
}

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync };
