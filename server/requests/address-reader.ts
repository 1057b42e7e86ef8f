import type { IncomingMessage } from 'node:http';
import proxyAddress from 'proxy-addr';
import type { Settings } from '../settings/settings.js';

/** Returns the address that the outermost trusted proxy reports, otherwise the address of the peer. */
export type ReadAddress = (request: IncomingMessage) => string | undefined;

/** Creates the function that reads the address of the client. Express has the same rules, by the same package. */
export function createAddressReader({ trustedProxies }: Pick<Settings, 'trustedProxies'>): ReadAddress {
  if (trustedProxies === undefined) return ({ socket }) => socket.remoteAddress;
  const isTrusted = proxyAddress.compile(trustedProxies.split(','));
  return (request) =>
    request.headers['x-forwarded-for'] === undefined ? request.socket.remoteAddress : proxyAddress(request, isTrusted);
}
