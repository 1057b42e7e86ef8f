/**
 * Returns a `fetch` that follows at most two redirects of a GET to the same origin. GitHub redirects the old name of a
 * repository this way. A redirect to another origin fails, because that server would see the request and its token.
 */
export function followSameOriginRedirects(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    let url = new URL(input instanceof Request ? input.url : input);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const response = await send(url, { ...init, redirect: 'manual' });
      const location = response.headers.get('location');
      if (!REDIRECT_STATUSES.has(response.status) || location === null) return response;
      await response.body?.cancel();
      const next = new URL(location, url);
      if ((init?.method ?? 'GET') !== 'GET' || next.origin !== url.origin) {
        throw new Error(`GitHub redirects a request to ${next.origin}.`);
      }
      url = next;
    }
    throw new Error(`GitHub redirects a request more than ${MAX_REDIRECTS} times.`);
  };
}

const MAX_REDIRECTS = 2;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
