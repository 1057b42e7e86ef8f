/**
 * `fetch` that follows a GET to where its own server sends it, as the platform does for what has another name now, and no
 * further: not to another server, which would learn what is asked, and no more than a few times.
 */
export function followNear(ask: typeof fetch): typeof fetch {
  return async (input, init) => {
    let address = new URL(input instanceof Request ? input.url : input);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const response = await ask(address, { ...init, redirect: 'manual' });
      const location = response.headers.get('location');
      if (!REDIRECTS.has(response.status) || location === null) return response;
      await response.body?.cancel();
      const next = new URL(location, address);
      if ((init?.method ?? 'GET') !== 'GET' || next.origin !== address.origin) {
        throw new Error(`The platform redirects a request to ${next.origin}.`);
      }
      address = next;
    }
    throw new Error(`The platform redirects a request more than ${MAX_REDIRECTS} times.`);
  };
}

const MAX_REDIRECTS = 2;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
