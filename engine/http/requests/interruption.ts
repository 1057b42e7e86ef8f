import type { Socket } from 'node:net';
import { cancelledError, type EngineError, stoppedError } from '../../databases/interface/errors.js';

/** The connections that a stop of the service closed, because their requests did not end in time. */
const stopped = new WeakSet<Socket>();

/** Must be called before a stop of the service closes a connection. */
export function noteStop(socket: Socket): void {
  stopped.add(socket);
}

/** Returns why the connection of a request was closed before the end of the answer: by the client, or by a stop of the service. */
export function interruptionOf({ socket }: { readonly socket: Socket }): EngineError {
  return stopped.has(socket) ? stoppedError() : cancelledError();
}
