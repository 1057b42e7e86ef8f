import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/**
 * Closes the connection if the answer is sent before the body was read to its end, so that the server does not wait for the rest
 * of a body that may be unlimited.
 */
export function closeAfterEarlyAnswer(request: IncomingMessage, response: ServerResponse): void {
  const { shouldKeepAlive } = response;
  response.shouldKeepAlive = false;
  request.once('end', () => {
    response.shouldKeepAlive = shouldKeepAlive;
  });
  const { socket } = request;
  // Node calls this method after the last answer of a connection. Each request replaces it.
  socket.destroySoon = () => {
    if (request.complete) Socket.prototype.destroySoon.call(socket);
    else closeSoon(socket);
  };
}

/**
 * Closes a connection on which the client may still send. An immediate close would reset the connection, and many clients would
 * lose the answer, so a limited part of the rest is read and discarded first.
 */
export function closeSoon(socket: Socket): void {
  let left = MAX_DROPPED_BYTES;
  // This removes the listener of the HTTP parser, too: it needs no more of the body.
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
