import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { rememberLast } from '../remember.js';
import type { HitText } from './hit-text.js';

/** Sends a response whose headers are text, and returns its number of bytes. Returns undefined and does nothing if this is not possible. */
export type SendText = (request: IncomingMessage, response: ServerResponse, text: HitText) => number | undefined;

/**
 * Creates a function that passes the complete head of a response to Node. `writeHead` would check and copy each header of each response,
 * which costs as much as all other work for a cache hit. Node has no public API for this. So `writeHead` writes the first response. Only if
 * Node then stored the expected head in its private field, later heads are set there directly.
 */
export function createTextSender(): SendText {
  let tail: string | undefined;
  let isSupported = true;
  return (request, response, text) => {
    if (!isSupported || !isPlain(request, response)) return undefined;
    const { status, lines, body } = text;
    const bodyBytes = body?.length ?? 0;
    if (tail === undefined) {
      response.writeHead(status, headersOf(lines));
      tail = tailOf(response as OpenResponse, statusLine(status) + lines);
      isSupported = tail !== undefined;
      const headBytes = (response as OpenResponse)._header?.length ?? 0;
      endWith(response, body);
      return headBytes + bodyBytes;
    }
    const head = `${statusLine(status)}${lines}Date: ${httpDate(Math.floor(Date.now() / 1000))}\r\n${tail}`;
    response.statusCode = status;
    const isOneText = typeof body === 'string';
    (response as OpenResponse)._header = isOneText ? head + body : head;
    response.end(isOneText ? undefined : body);
    return head.length + bodyBytes;
  };
}

/** A response with the private field in which Node stores the text of the head until it is sent. */
interface OpenResponse extends ServerResponse {
  _header: string | null | undefined;
}

/** Whether status and headers determine the head: the connection stays open, and no header is already set. */
function isPlain({ httpVersion }: IncomingMessage, response: ServerResponse): boolean {
  return httpVersion === '1.1' && response.shouldKeepAlive && response.getHeaderNames().length === 0;
}

/** Returns the text that Node wrote after its header `Date`: the connection headers. Undefined if Node wrote an unexpected head. */
function tailOf(response: OpenResponse, start: string): string | undefined {
  const { _header: head } = response;
  if (!Object.getOwnPropertyDescriptor(response, '_header')?.writable) return undefined;
  if (typeof head !== 'string' || !head.startsWith(start)) return undefined;
  return /^Date: [^\r]{29}\r\n(Connection: keep-alive\r\n(?:Keep-Alive: [^\r]*\r\n)?\r\n)$/.exec(
    head.slice(start.length),
  )?.[1];
}

function statusLine(status: HitText['status']): string {
  return status === 200 ? OK : NOT_MODIFIED;
}

const OK = `HTTP/1.1 200 ${STATUS_CODES[200]}\r\n`;
const NOT_MODIFIED = `HTTP/1.1 304 ${STATUS_CODES[304]}\r\n`;

function headersOf(lines: string): string[] {
  return lines
    .split('\r\n')
    .slice(0, -1)
    .flatMap((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    });
}

function endWith(response: ServerResponse, body: HitText['body']): void {
  if (typeof body === 'string') response.end(body, 'latin1');
  else response.end(body);
}

const httpDate = rememberLast((second) => new Date(second * 1000).toUTCString());
