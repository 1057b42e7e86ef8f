import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { run } from '../cli/command-line.js';
import type { Document } from './answer-check.js';
import { type DemoService, startDemoService } from './demo-service.js';
import { FEW_ENDPOINTS } from './few-endpoints.js';

/** The headers for 2020-03-01 and 2021-02-03, 00:00 UTC. The clock of the service is after both days. */
const HEADERS = ['@1583020800', 'Wed, 03 Feb 2021 00:00:00 GMT'];

describe('a deprecated definition', () => {
  let folder: string;
  let demo: DemoService;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-endpoints-'));
    await writeFile(
      join(folder, 'old.yaml'),
      definition('old-years', "deprecated: '2020-03-01'\nsunset: '2021-02-03'"),
    );
    await writeFile(join(folder, 'aging.yaml'), definition('aging-years', 'deprecated: 2020-03-01'));
    demo = await startDemoService({ ENDPOINTS_DIR: `${FEW_ENDPOINTS},${folder}` });
  });
  after(async () => {
    await demo?.close();
    await rm(folder, { recursive: true });
  });

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await demo.get(path, { headers: { 'accept-encoding': 'identity', ...headers } });
    await response.text();
    return read(response);
  };
  const read = ({ status, headers: all }: Response) => {
    return { status, cache: all.get('cache-status'), days: [all.get('deprecation'), all.get('sunset')], all };
  };

  it('answers misses, hits and unchanged answers with both days, also after the second one', async () => {
    const miss = await get('/v1/old-years/');
    const hit = await get('/v1/old-years/');
    // If Cache-Control is not set, fetch adds `no-cache` to a request with an ETag.
    const known = {
      'accept-encoding': 'identity',
      'if-none-match': hit.all.get('etag') ?? '',
      'cache-control': 'max-age=0',
    };
    const unchanged = read(await fetch(`${demo.service.url}/v1/old-years/`, { headers: known }));
    expect([miss, hit, unchanged].map(({ status, cache, days }) => [status, cache, days])).to.deep.equal([
      [200, 'repo-insight; fwd=miss; stored', HEADERS],
      [200, 'repo-insight; hit; detail=memory', HEADERS],
      [304, 'repo-insight; hit; detail=memory', HEADERS],
    ]);
    expect((await get('/q/old-years')).days).to.deep.equal(HEADERS);
    expect((await get('/v1/old-years/', { 'accept-encoding': 'deflate' })).days).to.deep.equal(HEADERS);
  });

  it('answers wrong requests with both days', async () => {
    const paths = ['/v1/old-years/?least=none', '/v1/old-years/?unknown=1', '/q/old-years?least=none'];
    for (const path of paths) {
      const { status, days } = await get(path);
      expect([status, days], path).to.deep.equal([400, HEADERS]);
    }
  });

  it('has no second day if its file has none', async () => {
    expect((await get('/v1/aging-years/')).days).to.deep.equal([HEADERS[0], null]);
  });

  it('changes nothing for other definitions', async () => {
    expect((await get('/v1/collections/')).days).to.deep.equal([null, null]);
  });

  it('allows scripts of other origins to read the headers', async () => {
    const exposed = (await get('/v1/old-years/')).all.get('access-control-expose-headers')?.split(',');
    expect(exposed).to.include.members(['Deprecation', 'Sunset']);
  });

  it('is marked in both descriptions, at its path and by its name', async () => {
    for (const document of ['/openapi.json', '/docs/json']) {
      const { paths } = (await (await demo.get(document)).json()) as Document;
      const marks = ['/v1/old-years/', '/q/old-years', '/v1/aging-years/', '/v1/collections/'].map((path) => {
        const operation = paths[path]?.get as unknown as Record<string, unknown>;
        return [operation.deprecated, operation['x-sunset'], String(operation.description).split('\n')[0]];
      });
      const old = [true, '2021-02-03', 'Deprecated since 2020-03-01. It may stop working from 2021-02-03.'];
      expect(marks.slice(0, 3), document).to.deep.equal([old, old, [true, undefined, 'Deprecated since 2020-03-01.']]);
      expect(marks[3]?.slice(0, 2), document).to.deep.equal([undefined, undefined]);
    }
  });

  it('is marked by `endpoint list`', async () => {
    const environment = { DATA_DIR: folder, ENDPOINTS_DIR: folder };
    const { out } = await run(['endpoint', 'list', '--json'], { environment });
    const listed = (JSON.parse(out) as Record<string, unknown>[]).map((row) => [row.name, row.deprecated, row.sunset]);
    expect(listed).to.deep.equal([
      ['aging-years', '2020-03-01', undefined],
      ['old-years', '2020-03-01', '2021-02-03'],
    ]);
    const table = await run(['endpoint', 'list'], { environment });
    expect(table.out).to.include('deprecated since 2020-03-01, ends 2021-02-03');
  });
});

function definition(name: string, more: string): string {
  return `name: ${name}
path: /v1/${name}/
summary: Years of the data
description: Every year with an event.
${more}
params:
  least: { in: query, type: integer, default: 2000, description: First year. }
columns:
  - { col: year, data_type: INT, nullable: true, description: Year }
sql: SELECT DISTINCT YEAR(day) AS year FROM calendar_days WHERE YEAR(day) >= {{ least }} ORDER BY year
`;
}
