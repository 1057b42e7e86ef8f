import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import { remember } from '../remember.js';

/** The parts of a request that identify its client. A request of express has them. */
export interface ClientRequest {
  /** The client address that the outermost trusted proxy reports; without a proxy, the address of the connection. */
  readonly ip?: string | undefined;
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>;
}

/**
 * Returns the key under which requests of a client are counted: its IPv4 address, or the /64 network of its IPv6
 * address, because one client usually has a whole /64. Behind trusted proxies (express's `trust proxy`), it is the
 * address that the outermost trusted proxy reports. If this text is not an address, the address of the connection is
 * used.
 */
export function clientAddress({ ip = '', socket }: ClientRequest): string {
  return recentNetworkOf(ip) ?? networkOf(socket.remoteAddress ?? '') ?? 'unknown';
}

const recentNetworkOf = remember((ip) => networkOf(ip), { maxResults: 1_000, maxLength: 50 });

/**
 * Returns the network of an address: `192.0.2.7` → `192.0.2.7`, `2001:db8:1:2:3::4` → `2001:db8:1:2::/64`. Undefined if
 * the text is not an address.
 */
export function networkOf(text: string): string | undefined {
  const address = withoutPort(text);
  if (isIPv4(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (isIP(address) === 0) return undefined;
  const groups = groupsOf(address);
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return ipv4Of(groups.slice(6));
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** Removes the port that some proxies append: `192.0.2.7:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  return /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}

/** Returns the eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  // URL normalizes the address: `2001:DB8:0:0::1` becomes `2001:db8::1`, `::ffff:192.0.2.7` becomes `::ffff:c000:207`.
  const normalized = new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1);
  const [head = '', tail] = normalized.split('::');
  const before = head.split(':').filter((group) => group !== '');
  const after = tail?.split(':').filter((group) => group !== '') ?? [];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after];
}

function ipv4Of(groups: readonly string[]): string {
  return groups
    .flatMap((group) => {
      const number = Number.parseInt(group, 16);
      return [number >> 8, number & 255];
    })
    .join('.');
}
