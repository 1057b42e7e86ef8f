import type { IncomingMessage } from 'node:http';
import type { Express } from 'express';
import type { Settings } from '../settings/settings.js';

/**
 * Returns a function that reads the address of the client from a request of Node: the address that the outermost
 * trusted proxy reports, otherwise the address of the peer.
 */
export function addressReader(
  app: Express,
  { trustedProxies }: Pick<Settings, 'trustedProxies'>,
): (request: IncomingMessage) => string | undefined {
  return ({ headers, socket }) => {
    if (trustedProxies === undefined || headers['x-forwarded-for'] === undefined) return socket.remoteAddress;
    // The getter of express reads only these properties. So both ways use the same rules.
    return Reflect.get(app.request, 'ip', { app, headers, socket }) as string | undefined;
  };
}
