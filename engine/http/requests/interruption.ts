import type { Socket } from 'node:net';
import { cancelledError, type EngineError, stoppedError } from '../../databases/interface/errors.js';

/** The connections that the service closed at shutdown, because their requests did not end in time. */
const stopped = new WeakSet<Socket>();

/** Must be called before a connection is closed at shutdown. */
export function noteStop(socket: Socket): void {
  stopped.add(socket);
}

/** Returns the error for a request whose connection was closed before the end of the answer: by the client, or at shutdown. */
export function interruptionOf({ socket }: { readonly socket: Socket }): EngineError {
  return stopped.has(socket) ? stoppedError() : cancelledError();
}
