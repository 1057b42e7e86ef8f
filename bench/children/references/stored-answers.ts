import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StoredAnswers } from '../../serving/capture.js';

/** An answer in a form that node:http can send without further processing. */
export interface SendableAnswer {
  readonly status: number;
  readonly headers: string[];
  readonly body: Buffer;
}

/** Reads the answers, by path, from a file that the benchmark wrote. */
export async function readAnswers(file: string): Promise<ReadonlyMap<string, SendableAnswer>> {
  const stored = JSON.parse(await readFile(file, 'utf8')) as StoredAnswers;
  return new Map(
    Object.entries(stored).map(([path, { status, headers, body }]) => [
      path,
      { status, headers: [...headers], body: Buffer.from(body, 'base64') },
    ]),
  );
}

/** Serves requests with node:http until SIGTERM, and prints the URL. */
export function serve(listener: RequestListener): void {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
  });
  process.once('SIGTERM', () => process.exit());
}
