import { isIP } from 'node:net';

/** The URL of a Redis. */
export function isRedis(source: string): string {
  const form = 'redis://user:password@host:6379/0, or rediss://… where it is encrypted';
  const url = URL.canParse(source) ? new URL(source) : undefined;
  if (url === undefined || !/^rediss?:$/.test(url.protocol) || url.hostname === '') throw new Error(form);
  if (url.search !== '' || url.hash !== '') throw new Error(`${form}, with nothing behind (? is %3F, # is %23)`);
  if (/^(\/\d*)?$/.test(url.pathname)) return source;
  throw new Error(`${form}, with a number for the database`);
}

/** Addresses, networks and express's names for some; everybody (`/0`) cannot be trusted. */
export function isAddresses(source: string): string {
  const addresses = source.split(',').map((part) => part.trim());
  const wrong = addresses.find((part) => !ADDRESS_NAMES.includes(part) && !isNetwork(part));
  if (wrong === undefined) return addresses.join(',');
  const names = ADDRESS_NAMES.join(', ');
  throw new Error(`addresses, networks such as 10.0.0.0/8, or ${names}, with commas between them`);
}

const ADDRESS_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

function isNetwork(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  const bits = { 4: 32, 6: 128 }[isIP(address)];
  if (bits === undefined || address.includes('%') || rest.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) > 0 && Number(length) <= bits);
}
