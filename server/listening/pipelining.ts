import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The requests of a connection. */
interface Pipeline {
  /** The answer that is being sent; undefined between requests. */
  response: ServerResponse | undefined;
  /** The requests that arrived while an answer was being sent. */
  readonly waiting: { readonly request: IncomingMessage; readonly response: ServerResponse }[];
  /** Handles the next request after an answer was sent. */
  readonly next: () => void;
}

/** The connections that have received a request. */
const pipelines = new WeakMap<Socket, Pipeline>();

/** Returns the answer that is being sent on a connection: undefined before its first request, and null between requests. */
export function currentResponse(socket: Socket): ServerResponse | null | undefined {
  const pipeline = pipelines.get(socket);
  return pipeline && (pipeline.response ?? null);
}

/**
 * Passes the pipelined requests of a connection to the application one at a time, each after the answer to the previous one was sent. Node
 * keeps answers that wait for earlier ones in memory. A client that sends thousands of requests at once, and reads no answers, could fill
 * the memory.
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
 * Adds to the number of bytes that wait for a connection. Node pauses a connection while this number exceeds 16 KB, but has no public
 * function to change the number. Without the private function, only `MAX_WAITING` limits the waiting requests.
 */
function countWaiting(response: ServerResponse, bytes: number): void {
  const { _onPendingData: count } = response as { _onPendingData?: unknown };
  if (typeof count === 'function') count.call(response, bytes);
}

const WAITING_BYTES = 1_024;
/** The maximum number of waiting requests. The limit is more than Node can read at once from a connection that is not paused. */
const MAX_WAITING = 20_000;
