import type { CustomFetch } from 'openid-client';

/** The time limit of one request to a provider, in seconds. */
export const REQUEST_TIMEOUT_SECONDS = 5;

/** Adapts the `fetch` of this service to the type of openid-client. */
export function adaptFetch(providerFetch: typeof fetch): CustomFetch {
  // The types only differ in how a missing option is declared (`undefined`).
  return (url, options) => providerFetch(url, options as RequestInit);
}
