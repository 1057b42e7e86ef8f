import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';

/** A complete answer, with the facts that a client only knows at its end. */
export interface ReadStream {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly trailers: NodeJS.Dict<string>;
  readonly body: Buffer;
  /** Whether the answer ended correctly by HTTP. Clients report an error for an incomplete answer. */
  readonly isComplete: boolean;
}

/** Sends a GET request and reads its whole answer. */
export async function readStream(url: string): Promise<ReadStream> {
  return readRest(await begin(url));
}

/** Reads the rest of an answer that has begun. */
export async function readRest(response: IncomingMessage): Promise<ReadStream> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of response) chunks.push(chunk as Buffer);
  } catch {
    // Errors are ignored: `complete` states whether the answer ended too early.
  }
  const { statusCode: status, headers, trailers, complete: isComplete } = response;
  return { status, headers, trailers, body: Buffer.concat(chunks), isComplete };
}

/** Sends a GET request and returns its answer without reading the body. */
export function begin(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { agent: false }, resolve).once('error', reject).end();
  });
}

/** Sends a GET request with HTTP/1.0. Returns the code of the error that ended the connection; undefined if there was no error. */
export function errorOfOldClient(url: string): Promise<string | undefined> {
  const { hostname, port, pathname, search } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(`GET ${pathname}${search} HTTP/1.0\r\n\r\n`));
    socket.resume();
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    socket.once('end', () => resolve(undefined));
  });
}
