import type { CustomFetchOptions } from 'openid-client';
import { boundedFetch } from '../../github/client/bounded-fetch.js';

/** The longest that one answer of a provider may take. */
export const ANSWER_SECONDS = 5;

/** `fetch` for everything that providers and issuers answer, so that no answer fills the memory. */
export const fetchBounded = boundedFetch(1_048_576);

/** The same for openid-client. */
export function fetchAnswer(url: string, options: CustomFetchOptions): Promise<Response> {
  // The one difference of the types is `undefined`, which counts as left out.
  return fetchBounded(url, options as RequestInit);
}
