import type { Request } from 'express';

export interface Cookie {
  readonly name: string;
  /** The value exactly as in the header. */
  readonly value: string;
}

/** Returns the cookies of a request, in the order of the header. */
export function cookiesOf({ headers: { cookie = '' } }: Request): Cookie[] {
  return cookie.split(';').flatMap((pair) => {
    const equals = pair.indexOf('=');
    return equals > 0 ? [{ name: pair.slice(0, equals).trim(), value: pair.slice(equals + 1).trim() }] : [];
  });
}

/** Returns the raw value of a cookie of a request; undefined if the cookie is absent. */
export function cookieOf(request: Request, name: string): string | undefined {
  return cookiesOf(request).find((cookie) => cookie.name === name)?.value;
}
