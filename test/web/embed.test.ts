import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { startDemoService } from '../service/demo-service.js';
import { useConsole } from './use-console.js';

/** Another site, which shows pages of the service in frames. */
async function startSite(): Promise<{ readonly server: Server; readonly origin: string; html: string }> {
  const server = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end(site.html));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const site = { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, html: '' };
  return site;
}

describe('embedded results', () => {
  let allowed: Awaited<ReturnType<typeof startSite>>;
  let other: Awaited<ReturnType<typeof startSite>>;
  const console = useConsole(async () => {
    [allowed, other] = await Promise.all([startSite(), startSite()]);
    return startDemoService({ EMBED_ORIGINS: allowed.origin });
  });
  after(() => {
    for (const site of [allowed, other]) site?.server.close().closeAllConnections();
  });
  const framed = (path: string) =>
    `<!doctype html><title>Site</title><link rel="icon" href="data:,"><iframe title="chart" src="${console.demo.service.url}${path}"></iframe>`;

  console.it('are shown in a frame of an allowed origin, with a link to their page', async (open) => {
    allowed.html = framed('/embed/e/list-collections');
    const page = await open('/', { root: allowed.origin, origins: [console.demo.service.url] });
    const frame = page.frameLocator('iframe');
    await frame.getByRole('table').waitFor();
    const link = frame.getByRole('link', { name: /Open in/ });
    expect(await link.getAttribute('href')).to.equal(`${console.demo.service.url}/e/list-collections`);
    expect(await frame.getByRole('navigation').count()).to.equal(0);
  });

  for (const [title, path, site] of [
    ['are not shown in a frame of another origin', '/embed/e/list-collections', () => other],
    ['are the only pages that are shown in a frame', '/e/list-collections', () => allowed],
  ] as const) {
    console.it(title, async (open) => {
      site().html = framed(path);
      const page = await open('/', {
        root: site().origin,
        origins: [console.demo.service.url],
        expected: /frame-ancestors/,
      });
      const [, frame] = page.frames();
      await frame?.waitForLoadState();
      expect(frame?.url()).to.match(/^chrome-error:/);
    });
  }

  it('name the allowed origins in the policy of embedded pages only', async () => {
    const ancestorsOf = async (path: string) => {
      const { headers } = await fetch(console.demo.service.url + path, { headers: { Accept: 'text/html' } });
      expect(headers.get('x-frame-options')).to.equal(null);
      return /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1];
    };
    expect(await ancestorsOf('/embed/e/list-collections')).to.equal(allowed.origin);
    expect(await ancestorsOf('/e/list-collections')).to.equal("'none'");
    expect(await ancestorsOf('/')).to.equal("'none'");
  });
});
