import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type DemoService, startDemoService, useSharedDemo } from '../service/demo-service.js';

const HOSTILE = `<img src=x onerror="alert(1)"> & ]]>`;

/** A definition with one row whose value depends on a parameter; -1 has no row, and 0 has a missing value. */
const ONE = `name: one
summary: One number
params:
  amount: { in: query, type: integer, minimum: -1, default: 12500, description: The number }
columns:
  - { col: id, data_type: BIGINT, nullable: false, description: Id }
  - { col: price, label: Price, data_type: BIGINT, nullable: true, unit: EUR, null_as: unknown, description: Price }
sql: SELECT 7 AS id, NULLIF({{ amount }}, 0) AS price FROM (SELECT 1 AS n) one WHERE {{ amount }} >= 0
`;

/** A definition of a list with a notice, whose texts are hostile. */
const LIST = `name: list
summary: Repositories
params:
  sort: { in: query, enum: [stars, name], default: stars, description: Order }
columns:
  - { col: repo_name, label: Repository, data_type: VARCHAR, nullable: false, description: Name }
  - { col: stars, label: New stars, data_type: BIGINT, nullable: false, description: Stars }
  - { col: text, data_type: VARCHAR, nullable: false, description: Text }
notices:
  - { when: always, sql: "SELECT 'Some events are missing.' AS notice" }
sql: |
  SELECT repo_name, stars, text
  FROM (
    SELECT 'bread/rye' AS repo_name, 12500 AS stars, '${HOSTILE}' AS text UNION ALL SELECT 'bread/oat', 3, 'plain'
  ) repos
  ORDER BY {% case sort %}{% when 'stars' %}stars DESC,{% when 'name' %}repo_name,{% endcase %} repo_name
`;

/** Without this header, `fetch` adds `no-cache` to a request with a condition. */
const USUAL = { 'Cache-Control': 'max-age=0' };

describe('results in other forms', () => {
  const shared = useSharedDemo();
  let demo: DemoService;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shared-'));
    await writeFile(join(folder, 'one.yaml'), ONE);
    await writeFile(join(folder, 'list.yaml'), LIST);
    demo = await startDemoService({ ENDPOINTS_DIR: `built-in,${folder}`, PUBLIC_URL: 'https://insight.example/base/' });
  });
  after(async () => {
    await demo.close();
    await rm(folder, { recursive: true });
  });

  const read = async (path: string): Promise<readonly [number, string]> => {
    const response = await demo.get(path);
    return [response.status, await response.text()];
  };

  describe('a badge', () => {
    const badge = async (query: string) => {
      const [status, svg] = await read(`/badge/${query}`);
      return [status, /<title>(.*?)<\/title>/.exec(svg)?.[1]];
    };

    it('has the label and the value of the first column with amounts, with its unit', async () => {
      expect(await badge('one.svg')).to.deep.equal([200, 'Price: 12,500 EUR *']);
    });

    it('states that a value is missing or that there is no row', async () => {
      expect([await badge('one.svg?amount=0'), await badge('one.svg?amount=-1')]).to.deep.equal([
        [200, 'Price: unknown *'],
        [200, 'Price: no value *'],
      ]);
    });

    it('has the chosen column, row and label', async () => {
      expect([
        await badge('one.svg?_column=id&_label=Number'),
        await badge('list.svg?_column=stars&_row=repo_name:bread/oat'),
        await badge('list.svg?_column=stars&_row=repo_name:bread/none'),
      ]).to.deep.equal([
        [200, 'Number: 7 *'],
        [200, 'New stars: 3 *'],
        [200, 'New stars: no value *'],
      ]);
    });

    it('marks a value whose answer has notices', async () => {
      expect(await badge('list.svg')).to.deep.equal([200, 'New stars: 12,500 *']);
    });

    it('has no markup of the data', async () => {
      const [, svg] = await read('/badge/list.svg?_column=text&_label=%3Cb%3E%0B%EF%BF%BE');
      expect(svg).to.not.match(/<img|<b>|<script/);
      expect(['\v', '\ufffe'].filter((invalid) => svg.includes(invalid))).to.deep.equal([]);
    });

    it('can be stored until the data change, and shown by other sites', async () => {
      const first = await demo.get('/badge/one.svg');
      const etag = first.headers.get('etag') ?? '';
      const again = await demo.get('/badge/one.svg', { headers: { 'If-None-Match': etag, ...USUAL } });
      const names = ['content-type', 'cache-control', 'cross-origin-resource-policy'];
      expect([names.map((name) => first.headers.get(name)), again.status]).to.deep.equal([
        ['image/svg+xml; charset=utf-8', 'public, no-cache', 'cross-origin'],
        304,
      ]);
    });

    for (const [query, status, title] of [
      ['absent.svg', 404, '404: Not Found'],
      ['one.svg?amount=x', 400, '400: Bad Request'],
      ['one.svg?_column=weight', 400, '400: Bad Request'],
      ['one.svg?_row=7', 400, '400: Bad Request'],
      ['one.svg?_row=price', 400, '400: Bad Request'],
      ['one.svg?_width=7', 400, '400: Bad Request'],
    ] as const) {
      it(`is a badge with the status ${status} for ${query}`, async () => {
        expect(await badge(query)).to.deep.equal([status, title]);
      });
    }
  });

  describe('a feed', () => {
    it('has an entry per row with a link to its page, and the notices', async () => {
      const [status, xml] = await read('/feed/list.atom?sort=name');
      const all = (pattern: RegExp) => [...xml.matchAll(pattern)].map(([, text]) => text);
      expect(status).to.equal(200);
      expect(all(/<title[^>]*>(.*?)<\/title>/g)).to.deep.equal(['Repositories · Sort: name', 'bread/oat', 'bread/rye']);
      expect(all(/<id>(.*?)<\/id>/g)).to.deep.equal([
        'tag:insight.example,2026:list?sort=name',
        'tag:insight.example,2026:list?sort=name#bread%2Foat',
        'tag:insight.example,2026:list?sort=name#bread%2Frye',
      ]);
      expect(all(/<link (.*?)\/>/g)).to.deep.equal([
        'rel="alternate" href="https://insight.example/base/e/list?sort=name"',
        'rel="self" href="https://insight.example/base/feed/list.atom?sort=name"',
        'rel="alternate" href="https://insight.example/base/p/repositories/bread/oat"',
        'rel="alternate" href="https://insight.example/base/p/repositories/bread/rye"',
      ]);
      expect([all(/<subtitle>(.*?)<\/subtitle>/g), all(/<author><name>(.*?)<\/name><\/author>/g)]).to.deep.equal([
        ['Stale: the data are older than their limit, or their age is not known. Some events are missing.'],
        ['repo-insight'],
      ]);
    });

    it('has the cells as text', async () => {
      const [, xml] = await read('/feed/list.atom');
      expect(xml)
        .to.include('New stars: 12,500')
        .and.not.match(/<img|onerror="/);
      // The content is HTML in XML, so it is escaped twice.
      expect(xml).to.include(
        'Text: &#38;#60;img src=x onerror=&#38;#34;alert(1)&#38;#34;&#38;#62; &#38;#38; ]]&#38;#62;',
      );
    });

    it('has the newest rows of a series, states that others are missing, and needs no public URL', async () => {
      const { demo: other } = shared;
      const xml = await (await other.get('/feed/data-coverage.atom')).text();
      const all = (pattern: RegExp) => [...xml.matchAll(pattern)].map(([, text]) => text);
      const { data } = (await (await other.get('/q/data-coverage')).json()) as { data: { day: string }[] };
      const newest = data
        .map(({ day }) => day)
        .sort()
        .reverse()
        .slice(0, 100);
      expect(all(/<entry><id>[^#]*#(.*?)<\/id>/g)).to.deep.equal(newest);
      expect(all(/<link rel="self" href="(.*?)"\/>/g)).to.deep.equal(['../feed/data-coverage.atom']);
      expect(all(/<subtitle>(.*?)<\/subtitle>/g)[0]).to.match(/^Not all rows are entries of this feed: 100\./);
    });

    it('is not sent again while it is the same', async () => {
      const { headers } = await demo.get('/feed/list.atom');
      const again = await demo.get('/feed/list.atom', {
        headers: { 'If-None-Match': headers.get('etag') ?? '', ...USUAL },
      });
      expect([headers.get('content-type'), again.status]).to.deep.equal(['application/atom+xml; charset=utf-8', 304]);
    });

    it('rejects unknown definitions and parameters', async () => {
      const statuses = ['absent.atom', 'list.atom?sort=x', 'list.atom?_sort=x'].map(async (query) => {
        return (await demo.get(`/feed/${query}`)).status;
      });
      expect(await Promise.all(statuses)).to.deep.equal([404, 400, 400]);
    });
  });

  describe('a page', () => {
    const head = async (path: string) => {
      const response = await fetch(demo.service.url + path, { headers: { Accept: 'text/html' } });
      const html = await response.text();
      const tag = (pattern: RegExp) => pattern.exec(html)?.[1];
      return {
        title: tag(/property="og:title" content="(.*?)"/),
        image: tag(/property="og:image" content="(.*?)"/),
        feed: tag(/application\/atom\+xml" href="(.*?)"/),
      };
    };

    it('has a title, an image and a feed with its parameters', async () => {
      expect(await head('/e/list?sort=name&_view=table&buy=this')).to.deep.equal({
        title: 'Repositories · Sort: name',
        image: 'https://insight.example/base/e/list.png?sort=name',
        feed: 'https://insight.example/base/feed/list.atom?sort=name',
      });
      const plain = { title: 'Repositories', image: undefined, feed: undefined };
      expect([await head('/e/list?sort=%ff'), await head('/e/list?sort=buy-this')]).to.deep.equal([
        {
          ...plain,
          image: 'https://insight.example/base/e/list.png',
          feed: 'https://insight.example/base/feed/list.atom',
        },
        plain,
      ]);
    });

    it('with several charts has the image of the first one', async () => {
      expect(await head('/p/repositories/bread/rye?per=week')).to.deep.equal({
        title: 'bread/rye',
        image: 'https://insight.example/base/e/stargazers-history.png?owner=bread&#38;repo=rye&#38;per=week',
        feed: undefined,
      });
    });
  });

  it('have addresses that search engines find', async () => {
    const [, robots] = await read('/robots.txt');
    expect(robots)
      .to.match(/^User-agent: \*\nDisallow: /)
      .and.include('Sitemap: https://insight.example/base/sitemap.xml');
    const [, xml] = await read('/sitemap.xml');
    const urls = [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url);
    expect(urls).to.include.members([
      'https://insight.example/base/',
      'https://insight.example/base/p/collections',
      'https://insight.example/base/e/list',
    ]);
    expect(urls.filter((url) => url?.includes('{'))).to.deep.equal([]);
  });
});
