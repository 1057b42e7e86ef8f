import { expect } from 'chai';
import { useConsoleService } from './console-service.js';
import { type Site, startSite } from './site.js';

describe('embedded results', () => {
  const console = useConsoleService();
  let other: Site;
  before(async () => {
    other = await startSite();
  });
  after(() => other.close());
  const framed = (path: string) =>
    `<!doctype html><title>Site</title><link rel="icon" href="data:,"><iframe title="chart" src="${console.demo.service.url}${path}"></iframe>`;

  console.it(
    'are shown in a frame of an allowed origin, with their parameters and a link to their page',
    async (open) => {
      const { site } = console.demo;
      site.html = framed('/embed/e/list-repos-of-collection?collection_id=1');
      const page = await open('/', { root: site.origin, origins: [console.demo.service.url] });
      const frame = page.frameLocator('iframe');
      await frame.getByRole('table').waitFor();
      const link = frame.getByRole('link', { name: /Open in/ });
      expect(await link.getAttribute('href')).to.equal(
        `${console.demo.service.url}/e/list-repos-of-collection?collection_id=1`,
      );
      expect(await frame.getByRole('navigation').count()).to.equal(0);
    },
  );

  for (const [title, path, site] of [
    ['are not shown in a frame of another origin', '/embed/e/list-collections', () => other],
    ['are the only pages that are shown in a frame', '/e/list-collections', () => console.demo.site],
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
    expect(await ancestorsOf('/embed/e/list-collections')).to.equal(console.demo.site.origin);
    expect(await ancestorsOf('/e/list-collections')).to.equal("'none'");
    expect(await ancestorsOf('/')).to.equal("'none'");
  });
});
