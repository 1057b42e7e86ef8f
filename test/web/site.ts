import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Another site, which embeds pages of the service in frames. */
export interface Site {
  readonly origin: string;
  html: string;
  close(): void;
}

export async function startSite(): Promise<Site> {
  const server = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end(site.html));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const site: Site = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    html: '',
    close: () => server.close().closeAllConnections(),
  };
  return site;
}
