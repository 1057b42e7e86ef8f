import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The requests of a connection. */
interface Pipeline {
  /** The answer that is being sent; undefined between requests. */
  response: ServerResponse | undefined;
  /** The requests that came before this answer was sent. */
  readonly waiting: { readonly request: IncomingMessage; readonly response: ServerResponse }[];
  /** Handles the next request when the answer was sent. */
  readonly next: () => void;
}

/** The connections on which a request came. */
const pipelines = new WeakMap<Socket, Pipeline>();

/** Returns the answer that is being sent on a connection: undefined before its first request, and null between requests. */
export function currentResponse(socket: Socket): ServerResponse | null | undefined {
  const pipeline = pipelines.get(socket);
  return pipeline && (pipeline.response ?? null);
}

/**
 * Lets the pipelined requests of a connection reach the application one after the other, when the answers before them have
 * been sent. Node keeps answers that wait for earlier ones in memory. A client that sends thousands of requests at once,
 * and reads no answer, could fill the memory with them.
 */
export function oneAtATime(app: RequestListener): RequestListener {
  const start = (pipeline: Pipeline, request: IncomingMessage, response: ServerResponse) => {
    pipeline.response = response;
    response.once('close', pipeline.next);
    app(request, response);
  };
  const createPipeline = (socket: Socket): Pipeline => {
    const waiting: Pipeline['waiting'] = [];
    const next = () => {
      pipeline.response = undefined;
      const following = waiting.shift();
      if (following === undefined || socket.destroyed) return;
      countWaiting(following.response, -WAITING_BYTES);
      start(pipeline, following.request, following.response);
    };
    const pipeline: Pipeline = { response: undefined, waiting, next };
    pipelines.set(socket, pipeline);
    return pipeline;
  };
  return (request, response) => {
    const { socket } = request;
    const pipeline = pipelines.get(socket) ?? createPipeline(socket);
    if (pipeline.response === undefined) return start(pipeline, request, response);
    pipeline.waiting.push({ request, response });
    countWaiting(response, WAITING_BYTES);
    if (pipeline.waiting.length > MAX_WAITING) socket.destroy();
  };
}

/**
 * Node pauses a connection while the data that wait for it exceed 16 KB. It has no public function to add to them. Without the private
 * one, only `MAX_WAITING` limits the requests that wait.
 */
function countWaiting(response: ServerResponse, bytes: number): void {
  const { _onPendingData: count } = response as { _onPendingData?: unknown };
  if (typeof count === 'function') count.call(response, bytes);
}

const WAITING_BYTES = 1_024;
/** More than the requests in the data that Node reads at once from a connection that it does not pause. */
const MAX_WAITING = 20_000;
