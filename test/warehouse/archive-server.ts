import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

export interface ArchiveServer {
  readonly url: string;
  /** All received requests in the form `GET path range`, in order. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/**
 * A fault in a response. A path has a list of faults, one per request. `half` is a complete response with the first half of the file.
 * `text` is a complete response with most of its text, uncompressed.
 */
export type Fault =
  | 'fail'
  | 'busy'
  | 'late'
  | 'reject'
  | 'stall'
  | 'cut'
  | 'half'
  | 'text'
  | 'redirect'
  | 'loop'
  | 'lure';

/** Starts a file server on a free port. The first requests for a path get its faults, and later requests get the file. */
export async function archiveServer(
  files: Readonly<Record<string, Buffer>>,
  faults: Readonly<Record<string, readonly Fault[]>> = {},
): Promise<ArchiveServer> {
  const requests: string[] = [];
  const left = new Map(Object.entries(faults).map(([path, list]) => [path, [...list]]));
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    requests.push([request.method, path, request.headers.range].filter(Boolean).join(' '));
    const file = files[path.replace('/moved', '')];
    const fault = left.get(path)?.shift();
    if (fault === 'redirect') respond(response, 302, { location: `/moved${path}` });
    else if (fault === 'lure') respond(response, 302, { location: import.meta.url });
    else if (fault === 'loop') {
      left.get(path)?.push('loop');
      respond(response, 302, { location: path });
    } else if (fault === 'fail') respond(response, 503);
    else if (fault === 'busy') respond(response, 429, { 'retry-after': '1' });
    else if (fault === 'late') respond(response, 404);
    else if (fault === 'reject') respond(response, 403);
    else if (file === undefined) respond(response, 404);
    else if (fault === 'half') send(request, response, file.subarray(0, file.length / 2), undefined);
    else if (fault === 'text') send(request, response, gunzipSync(file).subarray(0, -100), undefined);
    else send(request, response, file, fault);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function respond(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, headers).end();
}

/** Sends a file or the requested range of the file. With the faults `stall` and `cut`, it stops in the middle of the response. */
function send(request: IncomingMessage, response: ServerResponse, file: Buffer, fault: Fault | undefined): void {
  const etag = `"${createHash('md5').update(file).digest('hex')}"`;
  const asked = /^bytes=(\d+)-$/.exec(request.headers.range ?? '');
  const from = asked !== null && request.headers['if-range'] === etag ? Number(asked[1]) : 0;
  const body = file.subarray(from);
  response.writeHead(from > 0 ? 206 : 200, {
    etag,
    'content-length': String(body.length),
    ...(from > 0 ? { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` } : {}),
  });
  if (fault === undefined) response.end(body);
  else {
    response.write(body.subarray(0, body.length / 2), () => {
      if (fault === 'cut') response.socket?.end();
    });
  }
}
