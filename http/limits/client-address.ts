import { isIP, isIPv4 } from 'node:net';
import type { Request } from 'express';

/**
 * By what a client is counted: its IPv4 address, or the /64 network of its IPv6 address, which one client has as a whole. With
 * trusted proxies (express's `trust proxy`) it is the address that the last of them was asked by; where that is no address,
 * the address of whoever asked this server.
 */
export function clientAddress(request: Request): string {
  const told = request.ip ?? '';
  return networkOf(told) ?? networkOf(request.socket.remoteAddress ?? '') ?? 'unknown';
}

/** `192.0.2.7` → itself, `2001:db8:1:2:3::4` → `2001:db8:1:2::/64`; undefined for what is no address. */
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

/** Some proxies write `192.0.2.7:4711` and `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  return /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  // A URL writes it in one way: `2001:DB8:0:0::1` as `2001:db8::1`, `::ffff:192.0.2.7` as `::ffff:c000:207`.
  const written = new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1);
  const [head = '', tail] = written.split('::');
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
