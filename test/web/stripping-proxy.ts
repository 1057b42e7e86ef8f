import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StrippingProxy {
  /** The URL of the service behind the proxy, without a slash at its end. */
  readonly url: string;
  /** The service to which the proxy forwards requests. It is set later, because the service must first know the URL of the proxy. */
  target: string;
  close(): Promise<void>;
}

/**
 * Starts a proxy that serves a service under a path prefix. The proxy removes the prefix from requests, and does not change answers. All
 * other paths return 404.
 */
export async function startStrippingProxy(prefix: string): Promise<StrippingProxy> {
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming;
    if (!url.startsWith(`${prefix}/`)) return void outgoing.writeHead(404).end('outside of the prefix');
    const forwarded = request(proxy.target + url.slice(prefix.length), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: StrippingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    target: '',
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
