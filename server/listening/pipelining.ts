import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { ServerSocket } from './unreadable-requests.js';

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Lets the pipelined requests of a connection reach the application one after the other, when the answers before them have
 * been sent. Node keeps answers that wait for earlier ones in memory. A client that sends thousands of requests at once,
 * and reads no answer, could fill the memory with them.
 */
export function oneAtATime(app: RequestListener): RequestListener {
  const queues = new WeakMap<ServerSocket, Waiting[]>();
  const follow = (socket: ServerSocket, response: ServerResponse, queue: Waiting[]) => {
    response.once('close', () => {
      const head = socket._httpMessage;
      const [next] = queue;
      // After the last answer of a connection, Node does not give the connection to another response.
      if (next === undefined || socket.destroyed || head == null) {
        queues.delete(socket);
        return;
      }
      follow(socket, head, queue);
      // Otherwise a request came when the connection was free, but before this event.
      if (head !== next.response) return;
      queue.shift();
      countWaiting(next.response, -WAITING_BYTES);
      app(next.request, next.response);
    });
  };
  return (request, response) => {
    const socket: ServerSocket = request.socket;
    const first = socket._httpMessage;
    // Almost always the connection is free, and Node has given it to this response.
    if (first === response || first == null) return app(request, response);
    const known = queues.get(socket);
    if (known !== undefined) {
      known.push({ request, response });
      countWaiting(response, WAITING_BYTES);
      return;
    }
    const queue = [{ request, response }];
    countWaiting(response, WAITING_BYTES);
    queues.set(socket, queue);
    follow(socket, first, queue);
  };
}

/** Node pauses a connection while the data that wait for it exceed 16 KB. Node has no public way to add to them. */
function countWaiting(response: ServerResponse, bytes: number): void {
  (response as { _onPendingData?: (bytes: number) => void })._onPendingData?.(bytes);
}

const WAITING_BYTES = 1_024;
