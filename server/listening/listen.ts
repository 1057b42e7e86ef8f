import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BODY_LIMIT, bytesOf, isBodyBounded } from '../../engine/http/requests/read-request.js';
import type { Settings } from '../settings/settings.js';
import { TIMEOUTS, type Timeouts } from '../settings/timeouts.js';
import { closeAfterEarlyAnswer } from './close-soon.js';
import type { StopReason } from './drain.js';
import { findHostFault } from './host-header.js';
import { currentResponse, oneAtATime } from './pipelining.js';
import { acceptWaiting, stopServer, trackConnections } from './stop-server.js';
import { answerUnreadable, rejectHost, type UnreadableRequest } from './unreadable-requests.js';

export interface Listening {
  /** For example `http://127.0.0.1:3450`, without a trailing slash. */
  readonly url: string;
  /** From now on, answers contain `Connection: close`, so that clients open a new connection for the next request. */
  announceClose(): void;
  /**
   * Stops accepting connections, answers the last requests, and closes the remaining connections after the time limit. Idle connections
   * stay open for a short time. If other processes continue to serve, they stay open until their idle timeout.
   */
  close(reason?: StopReason, handover?: Handover): Promise<void>;
}

type ListenSettings = Pick<Settings, 'host' | 'port' | 'shutdownTimeout'> & {
  /** The setting that contains the port, for messages. Default: `PORT`. */
  readonly portSetting?: string;
};

type ListenTimeouts = Pick<Timeouts, 'headersMs' | 'requestMs' | 'drainMs' | 'replacedDrainMs'>;
type Place = Pick<ListenSettings, 'host' | 'port' | 'portSetting'>;

/**
 * Whether Node can drop requests that arrive directly after this one. After a request with `Upgrade` that gets an ordinary answer, Node
 * ignores the rest of the received bytes. If the answer closes the connection, the client sends the dropped requests again. `h2c` is
 * excluded: the HTTP client of Java requests it on each connection, but waits for the answer.
 */
function canLoseRequests({ headers: { upgrade, connection = '' } }: IncomingMessage): boolean {
  return upgrade !== undefined && /\bupgrade\b/i.test(connection) && upgrade !== 'h2c';
}

const CHECK_MS = 500;

/** How a worker stops together with the others, so that the service resets no connection. */
export interface Handover {
  /** Resolves when this process has all connections that the primary process had accepted for it at the time of the call. */
  flush(): Promise<void>;
  /** Reports that no connection waits for this process. Resolves when no connection waits for any worker. */
  allDrained(): Promise<void>;
  /** Reports that this process has stopped accepting connections. Resolves when no process accepts them any more. */
  allClosed(): Promise<void>;
}

/** Serves the application. A request that cannot be parsed does not reach the application; it is passed to `report`. */
export async function listen(
  app: RequestListener,
  settings: ListenSettings,
  report: (request: UnreadableRequest) => void = () => {},
  { headersMs, requestMs, drainMs, replacedDrainMs }: ListenTimeouts = TIMEOUTS,
): Promise<Listening> {
  let closing = false;
  const maxBodyBytes = bytesOf(BODY_LIMIT);
  const answer = oneAtATime((request, response) => {
    const hostFault = findHostFault(request);
    if (hostFault !== undefined) return rejectHost(response, hostFault, report);
    // Without this header, a client could send further requests on a keep-alive connection while the server stops.
    if (closing || canLoseRequests(request)) response.setHeader('Connection', 'close');
    app(request, response);
  });
  /** The requests that wait until the server has stopped accepting connections. Undefined if requests do not wait. */
  let held: (() => void)[] | undefined;
  const handle: RequestListener = (request, response) => {
    if (!isBodyBounded(request, maxBodyBytes)) closeAfterEarlyAnswer(request, response);
    if (held === undefined) answer(request, response);
    else held.push(() => answer(request, response));
  };
  const server = createHttpServer(handle, { headersMs, requestMs });
  closeIdleConnections(server, requestMs);
  answerUnreadable(server, report);
  const connections = trackConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, settings)));
    server.listen(settings.port, settings.host, resolve);
  });
  return {
    url: urlOf(server),
    announceClose: () => {
      closing = true;
    },
    close: async (reason = 'stop', handover) => {
      closing = true;
      const waiting: (() => void)[] = [];
      held = waiting;
      await acceptWaiting(server, handover && (() => handover.flush()));
      await handover?.allDrained();
      const idleMs = reason === 'replaced' ? replacedDrainMs : drainMs;
      const closed = stopServer(server, { connections, drainMs: idleMs, timeoutMs: settings.shutdownTimeout });
      // A client that gets its answer earlier could connect again.
      await handover?.allClosed();
      held = undefined;
      for (const answerNow of waiting) answerNow();
      await closed;
    },
  };
}

/**
 * Throws the error of `listen` if the port is taken or not allowed. With this check, the start fails before its slow steps. Another program
 * can still take the port before `listen`.
 */
export async function requireFreePort(place: Place): Promise<void> {
  const { host, port } = place;
  if (port === 0) return;
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, place)));
    probe.listen(port, host, resolve);
  });
  await new Promise((resolve) => probe.close(resolve));
}

function createHttpServer(
  handle: RequestListener,
  { headersMs, requestMs }: Pick<Timeouts, 'headersMs' | 'requestMs'>,
): Server {
  const server = createServer(
    {
      requireHostHeader: false,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      // With Node's default interval of 30 s, a time limit of 10 s could be applied after up to 40 s.
      connectionsCheckingInterval: CHECK_MS,
    },
    handle,
  );
  // By default Node silently drops headers after the first 2,000. The limit of 16 KB for all headers still applies.
  server.maxHeadersCount = 0;
  // Requests with an unknown `Expect` header are handled as if the header were absent, as HTTP allows.
  server.on('checkExpectation', handle);
  // The function that reads the body sends `100 Continue`.
  server.on('checkContinue', handle);
  return server;
}

/**
 * Closes the connection of a client that stops reading its answer, or sends no further request. Otherwise the connection and the rest of
 * the answer would stay in memory. Other time limits apply to the first request of a connection, and to answers that have not started. One
 * timeout for the server is cheaper than one for each response.
 */
function closeIdleConnections(server: Server, requestMs: number): void {
  server.setTimeout(requestMs, (socket) => {
    const response = currentResponse(socket);
    const hasNoRequest = response === undefined;
    if (!hasNoRequest && response?.headersSent !== false) socket.destroy();
  });
}

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function explain(error: NodeJS.ErrnoException, { host, port, portSetting = 'PORT' }: Place): Error {
  if (error.code === 'EADDRINUSE') {
    return new Error(`Port ${port} on ${host} is taken; set ${portSetting} to another one, or to 0 for any free one.`);
  }
  if (error.code === 'EACCES')
    return new Error(`Not allowed to listen on port ${port}; set ${portSetting} to one above 1023.`);
  return new Error(`Cannot listen on ${host}:${port}: ${error.message}`);
}
