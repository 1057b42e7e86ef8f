import proxyAddress from 'proxy-addr';
import type { DefinitionParts } from '../../engine/http/definitions/answer-definitions.js';
import type { Settings } from '../settings/settings.js';

/**
 * Creates the function that reads the address of the client. The function uses the same package as express, so both trust the same proxies.
 */
export function createAddressReader({
  trustedProxies,
}: Pick<Settings, 'trustedProxies'>): DefinitionParts['addressOf'] {
  if (trustedProxies === undefined) return ({ socket }) => socket.remoteAddress;
  const isTrusted = proxyAddress.compile(trustedProxies.split(','));
  return (request) =>
    request.headers['x-forwarded-for'] === undefined ? request.socket.remoteAddress : proxyAddress(request, isTrusted);
}
