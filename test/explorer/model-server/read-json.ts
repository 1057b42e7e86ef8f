import type { IncomingMessage } from 'node:http';

/** Reads the body of a request as JSON; an empty object if it is not JSON. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch {
    return {};
  }
}
