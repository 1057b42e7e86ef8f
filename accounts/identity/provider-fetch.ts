import type { CustomFetch } from 'openid-client';

/** The longest time that one answer of a provider may take. */
export const ANSWER_SECONDS = 5;

/** The `fetch` of this service as openid-client calls it. */
export function clientFetch(providerFetch: typeof fetch): CustomFetch {
  // The types differ only in `undefined`, which means that the option is absent.
  return (url, options) => providerFetch(url, options as RequestInit);
}
