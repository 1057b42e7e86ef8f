import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BODY_LIMIT, bytesOf } from '../app-routes/body-limit.js';
import { closeAfterEarlyAnswer } from './close-soon.js';
import type { Settings } from './settings/settings.js';
import { TIMEOUTS, type Timeouts } from './timeouts.js';
import { answerUnreadable, requireHost, type UnreadableRequest } from './unreadable-requests.js';

export interface Listening {
  /** Such as `http://127.0.0.1:3450`, without a slash at the end. */
  readonly url: string;
  /** Takes no new requests, lets those in flight finish, and cuts what is left when the time is over. */
  close(): Promise<void>;
}

type ListenSettings = Pick<Settings, 'host' | 'port' | 'shutdownTimeout'>;

const CHECK_MS = 500;

/** `tell` hears of requests that cannot be read, and so are not the application's. */
export async function listen(
  app: RequestListener,
  settings: ListenSettings,
  tell: (request: UnreadableRequest) => void = () => {},
  { headersMs, requestMs }: Pick<Timeouts, 'headersMs' | 'requestMs'> = TIMEOUTS,
): Promise<Listening> {
  let closing = false;
  const answer = requireHost((request, response) => {
    // Else a keep-alive connection could go on asking a server that is about to stop.
    if (closing) response.setHeader('Connection', 'close');
    // Whoever does not go on reading its answer would keep the connection, and what is left of the answer, for ever. One that is
    // not begun has limits of its own.
    response.setTimeout(requestMs, () => {
      if (response.headersSent) request.socket.destroy();
    });
    app(request, response);
  }, tell);
  const maxBodyBytes = bytesOf(BODY_LIMIT);
  const handle: RequestListener = (request, response) => {
    closeAfterEarlyAnswer(request, response, maxBodyBytes);
    answer(request, response);
  };
  const server = createServer(
    {
      requireHostHeader: false,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      // Node looks every 30 s unless told, so that a limit of 10 s could last for 40.
      connectionsCheckingInterval: CHECK_MS,
    },
    handle,
  );
  // Node drops headers beyond 2,000 without a word; their 16 KB limit them anyway.
  server.maxHeadersCount = 0;
  // An expectation that is not known is passed over, as HTTP allows.
  server.on('checkExpectation', handle);
  // What reads the body asks for it.
  server.on('checkContinue', handle);
  answerUnreadable(server, tell);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, settings)));
    server.listen(settings.port, settings.host, resolve);
  });
  return {
    url: urlOf(server),
    close: () => {
      closing = true;
      return close(server, settings.shutdownTimeout);
    },
  };
}

function close(server: Server, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function explain(error: NodeJS.ErrnoException, { host, port }: ListenSettings): Error {
  if (error.code === 'EADDRINUSE') {
    return new Error(`Port ${port} on ${host} is taken; set PORT to another one, or to 0 for any free one.`);
  }
  if (error.code === 'EACCES') return new Error(`Not allowed to listen on port ${port}; set PORT to one above 1023.`);
  return new Error(`Cannot listen on ${host}:${port}: ${error.message}`);
}
