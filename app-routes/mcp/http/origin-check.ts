import type { Request } from 'express';

export interface OriginRules {
  /** The origin that may call the service from a browser; `*` for all. */
  readonly corsOrigin: string;
  /** The address that the service listens on. */
  readonly host: string;
  /** The URL of the service in browsers. */
  readonly publicUrl: string | undefined;
}

/**
 * Returns why a request of a browser is rejected. A page of any site can send requests to a service on the same machine, also
 * under its own name (DNS rebinding), and the protocol requires a check of `Origin` against this. A request
 * without `Origin` does not come from a page.
 */
export function findOriginFault({ headers }: Pick<Request, 'headers'>, rules: OriginRules): string | undefined {
  const { origin } = headers;
  if (origin === undefined || isAllowed(origin, rules)) return undefined;
  return `Pages of ${JSON.stringify(origin.slice(0, MAX_SHOWN))} may not use this service; CORS_ORIGIN names the allowed origin.`;
}

function isAllowed(origin: string, { corsOrigin, host, publicUrl }: OriginRules): boolean {
  if (origin === corsOrigin) return true;
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return true;
  if (corsOrigin !== '*') return false;
  // A service that only this machine can reach is used by pages of this machine.
  return !LOOPBACK.test(host) || LOOPBACK.test(hostnameOf(origin));
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;
const MAX_SHOWN = 100;

function hostnameOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).hostname : '';
}
