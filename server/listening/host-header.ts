import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

/** The fault of a request's host: a reason for the log, and a message for the caller. */
export interface HostFault {
  readonly reason: 'NO_HOST' | 'SEVERAL_HOSTS' | 'INVALID_HOST' | 'INVALID_TARGET';
  readonly message: string;
}

/**
 * Checks the host of a request as RFC 9112, section 3.2, requires. The host of a target that is a whole URL takes precedence over
 * the header, which may differ from it; both must be valid. HTTP/1.0 needs none.
 */
export function findHostFault(request: IncomingMessage): HostFault | undefined {
  const hosts = request.headersDistinct.host ?? [];
  if (hosts.length > 1) return fault('SEVERAL_HOSTS', 'A request must have only one Host header.');
  const [host] = hosts;
  if (host === undefined && request.httpVersion !== '1.0') {
    return fault('NO_HOST', 'An HTTP/1.1 request needs a Host header.');
  }
  if (host !== undefined && !isHost(host)) return fault('INVALID_HOST', `The Host header ${EXPECTED}.`);
  const [, scheme = 'http', authority] = /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)/i.exec(request.url ?? '') ?? [];
  if (!/^https?$/i.test(scheme))
    return fault('INVALID_TARGET', 'A target that is a whole URL must begin with http:// or https://.');
  if (authority !== undefined && !isHost(authority))
    return fault('INVALID_HOST', `The host of the target ${EXPECTED}.`);
  return undefined;
}

const EXPECTED = 'must be a name, an IPv4 address or an IPv6 address in brackets, optionally with a port';
const MAX_PORT = 65_535;

function isHost(text: string): boolean {
  const [, bracketed, name, port = ''] = /^(?:\[(.*)\]|([\w.~-]{1,255}))(?::(\d*))?$/.exec(text) ?? [];
  if (Number(port) > MAX_PORT) return false;
  // A zone, as in `fe80::1%eth0`, is about the client's own machine.
  return bracketed === undefined ? name !== undefined : isIPv6(bracketed) && !bracketed.includes('%');
}

function fault(reason: HostFault['reason'], message: string): HostFault {
  return { reason, message };
}
