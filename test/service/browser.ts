import type { DemoService } from './demo-service.js';

/**
 * The parts of a browser that sign-in needs: it stores cookies and follows redirects between a service and a provider.
 */
export class Browser {
  /** Cookies by name: the value and its attributes. */
  readonly cookies = new Map<string, { readonly value: string; readonly attributes: readonly string[] }>();

  /** `publicUrl` is the URL under which this browser reaches the service (PUBLIC_URL). */
  constructor(
    private readonly publicUrl: string,
    private readonly service: Pick<DemoService, 'get'>,
  ) {}

  /** Sends one request, by default from a page of the service. The browser does not follow redirects. */
  async request(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
    const headers = { 'Sec-Fetch-Site': 'same-origin', ...init.headers, ...(cookie !== '' && { Cookie: cookie }) };
    const response = await this.service.get(path, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return response;
  }

  /** Requests a path and follows redirects. Returns the first answer that is not a redirect. */
  async visit(path: string): Promise<Response> {
    for (let hops = 0; hops < 8; hops++) {
      const response = await this.request(path);
      let location = response.headers.get('location');
      while (location !== null && !this.#isHome(location)) {
        location = (await fetch(location, { redirect: 'manual' })).headers.get('location');
      }
      if (location === null) return response;
      path = location.replace(this.publicUrl, '');
    }
    throw new Error('There is no end of redirects.');
  }

  /** Begins a sign-in and returns the URLs of its two redirects: to the provider, and back to the service. */
  async begin(path = '/sign-in/'): Promise<{ readonly provider: URL; readonly back: string }> {
    const provider = new URL((await this.request(path)).headers.get('location') ?? '');
    const back = (await fetch(provider, { redirect: 'manual' })).headers.get('location') ?? '';
    return { provider, back: back.replace(this.publicUrl, '') };
  }

  /** Returns the names of the cookies of pending sign-ins. */
  get pending(): string[] {
    return [...this.cookies.keys()].filter((name) => name.includes('repo-insight-sign-in-'));
  }

  #isHome(location: string): boolean {
    return location.startsWith('/') || location.startsWith(`${this.publicUrl}/`);
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    const ends = attributes.find((attribute) => attribute.startsWith('Expires='))?.slice('Expires='.length);
    // A service deletes a cookie by setting its expiry to the start of 1970.
    if (ends !== undefined && Date.parse(ends) === 0) this.cookies.delete(name);
    else this.cookies.set(name, { value, attributes });
  }
}
