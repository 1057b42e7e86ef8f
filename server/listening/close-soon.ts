import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/**
 * Closes the connection if the answer is sent before the whole body was read. The rest of the body may be unlimited, so
 * the server must not wait for it.
 */
export function closeAfterEarlyAnswer(request: IncomingMessage, response: ServerResponse): void {
  const { shouldKeepAlive } = response;
  response.shouldKeepAlive = false;
  request.once('end', () => {
    response.shouldKeepAlive = shouldKeepAlive;
  });
  const { socket } = request;
  // Node calls this method after the last answer of a connection. Each request on the connection replaces the method.
  socket.destroySoon = () => {
    if (request.complete) Socket.prototype.destroySoon.call(socket);
    else closeSoon(socket);
  };
}

/**
 * Closes a connection on which the client may still send data. An immediate close would reset the connection, and many
 * clients would lose the answer. So a limited part of the remaining data is read and discarded first.
 */
export function closeSoon(socket: Socket): void {
  let left = MAX_DROPPED_BYTES;
  // This also removes the listener of the HTTP parser, which does not need the rest of the body.
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
