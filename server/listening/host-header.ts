import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

/** The problem with the host of a request: a reason for the log, and a message for the caller. */
export interface HostFault {
  readonly reason: 'NO_HOST' | 'SEVERAL_HOSTS' | 'INVALID_HOST' | 'INVALID_TARGET';
  readonly message: string;
}

/**
 * Checks the host of a request according to RFC 9112, section 3.2. If the request target is a whole URL, the host of
 * the URL takes precedence over the header. The two may differ, but both must be valid. HTTP/1.0 requests need no host.
 */
export function findHostFault(request: IncomingMessage): HostFault | undefined {
  if (hasSeveralHosts(request)) return fault('SEVERAL_HOSTS', 'A request must have only one Host header.');
  const { host } = request.headers;
  if (host === undefined && request.httpVersion !== '1.0') {
    return fault('NO_HOST', 'An HTTP/1.1 request needs a Host header.');
  }
  if (host !== undefined && !isHost(host)) return fault('INVALID_HOST', `The Host header ${EXPECTED}.`);
  // Fast path: almost every target begins with a slash, and this comparison is cheaper than the regular expression.
  if (request.url?.startsWith('/')) return undefined;
  const [, scheme = 'http', authority] = /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)/i.exec(request.url ?? '') ?? [];
  if (!/^https?$/i.test(scheme))
    return fault('INVALID_TARGET', 'A target that is a whole URL must begin with http:// or https://.');
  if (authority !== undefined && !isHost(authority))
    return fault('INVALID_HOST', `The host of the target ${EXPECTED}.`);
  return undefined;
}

/** Counts in `rawHeaders`: `headers` contains only the first Host header, and `headersDistinct` is slow. */
function hasSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1;
}

const EXPECTED = 'must be a name, an IPv4 address or an IPv6 address in brackets, optionally with a port';
const MAX_PORT = 65_535;

/** The last valid host, as a cache. Consecutive requests usually have the same host. */
let lastHost: string | undefined;

function isHost(text: string): boolean {
  if (text === lastHost) return true;
  const isValid = isValidHost(text);
  if (isValid) lastHost = text;
  return isValid;
}

function isValidHost(text: string): boolean {
  const [, bracketed, name, port = ''] = /^(?:\[(.*)\]|([\w.~-]{1,255}))(?::(\d*))?$/.exec(text) ?? [];
  if (Number(port) > MAX_PORT) return false;
  // A zone id, as in `fe80::1%eth0`, is only valid on the machine of the client.
  return bracketed === undefined ? name !== undefined : isIPv6(bracketed) && !bracketed.includes('%');
}

function fault(reason: HostFault['reason'], message: string): HostFault {
  return { reason, message };
}
