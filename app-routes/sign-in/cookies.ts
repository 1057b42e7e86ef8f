import type { Request } from 'express';

/** Returns the raw value of a cookie of a request; undefined if the request does not have the cookie. */
export function cookieOf({ headers: { cookie = '' } }: Request, name: string): string | undefined {
  for (const pair of cookie.split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}
