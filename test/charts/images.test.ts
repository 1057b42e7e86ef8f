import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type DemoService, startDemoService } from '../service/demo-service.js';

const ORIGINS = ['https://site.example', 'https://other.example:8443'];
const HOSTILE = `<script>alert("1")</script> & {a|bold}]]>`;

/** A definition whose image shows names of collections as bars. Tests change the table. */
const NAMES = `name: names
summary: Lengths of names
params:
  least: { in: query, type: integer, default: 0, description: The least id }
columns:
  - { col: id, data_type: BIGINT, nullable: false, description: Number }
  - { col: name, data_type: VARCHAR, nullable: false, description: Name }
  - { col: letters, label: Length, data_type: BIGINT, nullable: false, unit: letters, description: Letters of the name }
chart: { chartName: BarChart, title: Letters of names, x: name, y: [letters] }
data_as_of: SELECT MAX(e.created_at) FROM github_events e
sql: |
  SELECT c.id AS id, c.name AS name, CHAR_LENGTH(c.name) AS letters
  FROM collections c WHERE c.id >= {{ least }} ORDER BY c.id
`;

/** A definition whose answer has an unknown age, fewer rows than exist, and a notice. */
const DOUBTFUL = `name: doubtful
summary: Names of collections
columns:
  - { col: name, data_type: VARCHAR, nullable: false, description: Name }
limits: { rows: 1 }
notices:
  - { when: always, sql: "SELECT '<b>a notice</b>' AS notice" }
sql: SELECT c.name AS name FROM collections c ORDER BY c.id
`;

describe('images of results', () => {
  let demo: DemoService;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'images-'));
    await writeFile(join(folder, 'names.yaml'), NAMES);
    await writeFile(join(folder, 'doubtful.yaml'), DOUBTFUL);
    demo = await startDemoService(
      { ENDPOINTS_DIR: folder, RATE_LIMIT_PER_HOUR: '40', EMBED_ORIGINS: ORIGINS.join() },
      { timeouts: { imageMs: 600_000 } },
    );
  });
  after(async () => {
    await demo.close();
    await rm(folder, { recursive: true });
  });

  const rename = (name: string) =>
    demo.store.write((tables) => tables.run('UPDATE collections SET name = :p1 WHERE id = :p2', [name, 1]));
  const svg = async (query: string) => (await demo.get(`/e/${query}`)).text();

  it('draws the chart of the definition, with its title, the parameters and the age of the data', async () => {
    const response = await demo.get('/e/names.svg?least=1');
    const text = await response.text();
    expect(textsOf(text)).to.include.members(['Letters of names', 'Least: 1', 'Length (letters)', '13']);
    expect(text).to.match(/Data as of [A-Z][a-z]{2} \d+, \d{4}, .* UTC/);
    const names = ['content-type', 'cache-control', 'content-security-policy', 'cross-origin-resource-policy'];
    expect(names.map((name) => response.headers.get(name))).to.deep.equal([
      'image/svg+xml',
      'public, no-cache',
      "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
      'cross-origin',
    ]);
  });

  it('can be embedded as charts by pages of EMBED_ORIGINS, but not by other pages', async () => {
    const ancestorsOf = async (path: string) => {
      const { headers } = await fetch(demo.service.url + path, { headers: { Accept: 'text/html' } });
      const policy = headers.get('content-security-policy') ?? '';
      return [/frame-ancestors ([^;]*)/.exec(policy)?.[1], headers.get('x-frame-options')];
    };
    expect([await ancestorsOf('/embed/e/names'), await ancestorsOf('/e/names')]).to.deep.equal([
      [ORIGINS.join(' '), null],
      ["'none'", null],
    ]);
  });

  it('draws PNG images with the asked size', async () => {
    const response = await demo.get('/e/names.png?_width=400&_height=300&_theme=dark');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-type')).to.equal('image/png');
    expect(bytes.subarray(1, 4).toString()).to.equal('PNG');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).to.deep.equal([400, 300]);
  });

  it('has the colours of the asked theme', async () => {
    const surfaces = await Promise.all(
      ['light', 'dark'].map(async (theme) => /fill="(#\w+)" stroke/.exec(await svg(`names.svg?_theme=${theme}`))?.[1]),
    );
    expect(surfaces).to.deep.equal(['#ffffff', '#161a22']);
  });

  it('shows the kind that the caller chose', async () => {
    const texts = textsOf(await svg('names.svg?_chart=Table'));
    expect(texts).to.include.members(['Id', 'Name', 'Length (letters)']);
  });

  it('shows hostile text as text', async () => {
    await rename(HOSTILE);
    const [text] = await Promise.all([svg('names.svg?_chart=Table'), demo.get('/e/names.png?_chart=Table')]);
    expect(text).to.not.match(/<script|]]>|\bon\w+=|href/);
    expect(textsOf(text).some((line) => HOSTILE.startsWith(line.replace('…', '')))).to.equal(true);
    const bars = await svg('names.svg');
    expect(bars).to.not.match(/<script|]]>|\bon\w+=|href/);
  });

  it('has no character that XML cannot contain', async () => {
    await rename('odd\uffff\ufffe\u0001name');
    for (const kind of ['BarChart', 'Table']) {
      const text = await svg(`names.svg?_chart=${kind}`);
      expect(text, kind).to.match(/odd ?name/);
      const wrong = ['\uffff', '\ufffe', '\u0001'].filter((character) => text.includes(character));
      expect(wrong, kind).to.deep.equal([]);
    }
  });

  it('returns the stored image until the data change', async () => {
    await rename('first');
    const first = await demo.get('/e/names.svg');
    const etag = first.headers.get('etag') ?? '';
    const text = await first.text();
    const again = await demo.get('/e/names.svg', { headers: { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' } });
    expect([again.status, await again.text()]).to.deep.equal([304, '']);
    expect(await svg('names.svg')).to.equal(text);
    await rename('second');
    const changed = await demo.get('/e/names.svg', {
      headers: { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' },
    });
    expect(changed.status).to.equal(200);
    expect(textsOf(await changed.text())).to.include('second');
  });

  it('states that an answer is stale and truncated, and its notices', async () => {
    const texts = textsOf(await svg('doubtful.svg'));
    expect(texts).to.include.members([
      'Stale: the data are older than their limit, or their age is not known.',
      'Truncated: the result has more rows.',
      '<b>a notice</b>',
      'The age of the data is not known.',
    ]);
  });

  const failures: readonly (readonly [string, number, string])[] = [
    ['absent.svg', 404, '404 Not Found'],
    ['names.svg?least=x', 400, '400 Bad Request'],
    ['names.svg?_width=9', 400, '400 Bad Request'],
    ['names.svg?_other=9', 400, '400 Bad Request'],
  ];
  for (const [query, status, title] of failures) {
    it(`answers ${query} with ${status} and an image of the message`, async () => {
      const response = await demo.get(`/e/${query}`);
      expect([response.status, response.headers.get('cache-control')]).to.deep.equal([status, 'no-store']);
      expect(textsOf(await response.text())).to.include(title);
    });
  }

  it('answers other methods than GET and HEAD with 405 and JSON, because no page shows their answer as an image', async () => {
    const response = await demo.get('/e/names.png', { method: 'POST' });
    const { status, headers } = response;
    expect({ status, type: headers.get('content-type'), allow: headers.get('allow') }).to.deep.equal({
      status: 405,
      type: 'application/problem+json; charset=utf-8',
      allow: 'GET, HEAD, OPTIONS',
    });
    expect(await response.json()).to.include({ code: 'method_not_allowed' });
  });

  it('answers with 429 and an image when the limit of requests is exceeded', async () => {
    let response = await demo.get('/e/names.svg');
    for (let sent = 0; response.status === 200 && sent < 100; sent += 1) response = await demo.get('/e/names.svg');
    expect([response.status, Number(response.headers.get('retry-after')) > 0]).to.deep.equal([429, true]);
    expect(textsOf(await response.text())).to.include('429 Too Many Requests');
  });
});

/** Returns the lines of text in an SVG. */
function textsOf(svg: string): string[] {
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) =>
    text
      .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
      .replace(/&(\w+);/g, (_, name) => ENTITIES[name] ?? ''),
  );
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };
