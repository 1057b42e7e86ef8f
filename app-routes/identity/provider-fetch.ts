import type { CustomFetchOptions } from 'openid-client';
import { boundedFetch } from '../../warehouse/host/bounded-fetch.js';

/** The longest that one answer of a provider may take. */
export const ANSWER_SECONDS = 5;

/** `fetch` for openid-client, so that no provider fills the memory. */
export function fetchAnswer(url: string, options: CustomFetchOptions): Promise<Response> {
  // The one difference of the types is `undefined`, which is as good as left out.
  return bounded(url, options as RequestInit);
}

const bounded = boundedFetch(1_048_576);
