import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { isBodyTooLarge } from '../../http/requests/body-limit.js';

/**
 * Ends the connection of an answer that is sent before its request is read, so that the rest of the body is neither read nor
 * awaited. A body within the limit is read to its end, and its connection is kept.
 */
export function closeAfterEarlyAnswer(request: IncomingMessage, response: ServerResponse, maxBodyBytes: number): void {
  const isBounded = request.headers['transfer-encoding'] === undefined && !isBodyTooLarge(request, maxBodyBytes);
  if (isBounded && request.headers.expect === undefined) return;
  const { shouldKeepAlive } = response;
  response.shouldKeepAlive = false;
  request.once('end', () => {
    response.shouldKeepAlive = shouldKeepAlive;
  });
  const { socket } = request;
  // Node calls this after the last answer of a connection. Each request replaces it, so that none outlives its answer for long.
  socket.destroySoon = () => {
    if (request.complete) Socket.prototype.destroySoon.call(socket);
    else closeSoon(socket);
  };
}

/**
 * Ends a connection on which more may come. Closing it at once would reset it, and many clients would lose the answer: for a
 * moment a part of the rest is read and dropped.
 */
export function closeSoon(socket: Socket): void {
  let left = MAX_DROPPED_BYTES;
  // The parser of the requests among them, which needs no more of the body.
  socket.removeAllListeners('data');
  socket.on('data', ({ length }: Buffer) => {
    left -= length;
    if (left < 0) socket.pause();
  });
  socket.resume();
  socket.end();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('end', () => socket.destroy());
  socket.once('close', () => clearTimeout(timer));
}

const LINGER_MS = 1_000;
const MAX_DROPPED_BYTES = 1024 * 1024;
