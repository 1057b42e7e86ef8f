import { randomUUID } from 'node:crypto';
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { problemDetails } from '../../engine/http/problems/error-answers.js';
import { HttpProblem } from '../../engine/http/problems/http-problem.js';
import { closeSoon } from './close-soon.js';
import type { HostFault } from './host-header.js';
import { currentResponse } from './pipelining.js';

/** A request that did not reach the application, for the log. */
export interface UnreadableRequest {
  readonly id: string;
  readonly status: number;
  /** Node's error code, such as `HPE_INVALID_METHOD`. */
  readonly reason: string;
}

/**
 * Answers input that cannot be read as an HTTP request, because it is invalid, too large or too slow. The answers are
 * problem details.
 */
export function answerUnreadable(server: Server, report: (request: UnreadableRequest) => void): void {
  const waiting = new WeakSet<Socket>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (waiting.has(socket)) return;
    waiting.add(socket);
    // First, the earlier complete requests on the connection get their answers.
    afterAnswers(socket, () => {
      // If the headers of an answer were already sent, the client would read the error as part of that answer.
      if (!socket.writable || error.code === 'ECONNRESET' || currentResponse(socket)?.headersSent) {
        socket.destroy();
        return;
      }
      const { status, headers, body } = answerTo(problemOf(error), error.code, report);
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
      closeSoon(socket);
    });
  });
}

function afterAnswers(socket: Socket, then: () => void): void {
  const response = socket.destroyed ? undefined : currentResponse(socket);
  if (!response?.req.complete) then();
  else response.once('close', () => setImmediate(() => afterAnswers(socket, then)));
}

/** Rejects a request whose host is missing or invalid. Node's own answer to a request without a Host has no body. */
export function rejectHost(
  response: ServerResponse,
  { message, reason }: HostFault,
  report: (request: UnreadableRequest) => void,
): void {
  const { status, headers, body } = answerTo(new HttpProblem('bad_request', message), reason, report);
  response.writeHead(status, headers).end(body);
}

function answerTo(problem: HttpProblem, reason: string | undefined, report: (request: UnreadableRequest) => void) {
  const { status } = problem;
  const id = randomUUID();
  report({ id, status, reason: reason ?? 'unknown' });
  const body = problemDetails(problem, status, id);
  const headers = {
    'X-Request-Id': id,
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  return { status, headers, body };
}

function problemOf({ code = '' }: NodeJS.ErrnoException): HttpProblem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new HttpProblem('headers_too_large', 'The target and the headers of the request have more than 16 KB.');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new HttpProblem('body_too_large', 'The extensions of the body’s chunks are too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpProblem('request_timeout', 'The request did not arrive within the time limit.');
    default:
      return new HttpProblem('bad_request', 'This is not a valid request of HTTP/1.1.');
  }
}
