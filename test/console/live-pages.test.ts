import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { FoundPageDetails, PageDetails, PageSummary } from '../../app-routes/console/answers.js';
import { createOwnFolder, type OwnFolder, versionOf } from '../live/own-folder.js';
import { type DemoService, SYSTEM_TIME, startDemoService } from '../service/demo-service.js';
import { eventually } from '../services/eventually.js';

const PAGE = `name: versions
path: /p/versions/{kind}
title: Versions of {kind}
summary: All versions.
params:
  kind: { in: path, type: string, maxLength: 5, description: Kind }
blocks:
  - text: About {kind}
  - endpoint: one
    chart: { chartName: NumberCard, value: version }
`;

const SUMMARY = { name: 'versions', path: '/p/versions/{kind}', title: 'Versions of {kind}', summary: 'All versions.' };
const BROKEN = { name: 'versions', path: '/p/versions/{kind}', title: null, summary: null, state: 'broken' };
const NO_CHANGE = { added: [], changed: [], removed: [], outdated: [] };

describe('the pages of a running service', () => {
  let demo: DemoService;
  let own: OwnFolder;
  let time = SYSTEM_TIME;

  /** All tests use the same service. Each test ends with the files with which it began. */
  before(async () => {
    own = await createOwnFolder();
    await mkdir(join(own.path, 'pages'));
    await own.write('endpoints/one.yaml', versionOf('one', 1));
    await own.write('pages/versions.yaml', PAGE);
    const folder = (name: string) => join(own.path, name);
    const environment = { ENDPOINTS_DIR: folder('endpoints'), PAGES_DIR: folder('pages') };
    demo = await startDemoService(environment, { systemClock: () => time });
  });

  after(async () => {
    await demo.close();
    await own.close();
  });

  const reload = async () => {
    const { pages, problems } = await demo.service.definitions.reload();
    return {
      pages,
      problems: problems.map(({ file, line, message }) => `${file.slice(own.path.length + 1)}:${line} ${message}`),
    };
  };
  const read = async <T>(path: string): Promise<T> => (await (await demo.get(path)).json()) as T;
  const list = async () => (await read<{ data: PageSummary[] }>('/console/pages/')).data;
  const find = (path: string) => read<FoundPageDetails>(`/console/page/?path=${encodeURIComponent(path)}`);
  const headOf = async (path: string) => {
    const response = await fetch(demo.service.url + path, { headers: { Accept: 'text/html' } });
    return [response.status, /<title>(.*)<\/title>/.exec(await response.text())?.[1]];
  };

  it('are listed and described, and found by their paths', async () => {
    expect(await list()).to.deep.equal([{ ...SUMMARY, state: 'served' }]);
    const block = {
      title: null,
      text: null,
      endpoint: null,
      params: {},
      chart: null,
      definitionChart: null,
      width: 'full',
      rows: null,
      columns: [],
      access: null,
      pageSize: null,
    };
    const details = {
      ...SUMMARY,
      state: 'served',
      titleFrom: null,
      parameters: [
        {
          name: 'kind',
          place: 'path',
          required: true,
          description: 'Kind',
          schema: { type: 'string', minLength: 1, maxLength: 5, pattern: '^[^\\x00]*$' },
          hasChoices: false,
        },
      ],
      blocks: [
        { ...block, text: 'About {kind}' },
        {
          ...block,
          title: 'Version 1',
          endpoint: 'one',
          chart: { chartName: 'NumberCard', value: 'version' },
          columns: [
            { name: 'version', columnType: 'BIGINT', nullable: false, description: 'Version' },
            { name: 'again', columnType: 'BIGINT', nullable: false, description: 'The same' },
          ],
        },
      ],
    };
    expect(await read<PageDetails>('/console/pages/versions/')).to.deep.equal(details);
    expect(await find('/p/versions/a%20b')).to.deep.equal({ ...details, values: { kind: 'a b' } });
  });

  it('have their titles and statuses before any script runs', async () => {
    expect(await headOf('/p/versions/big')).to.deep.equal([200, 'Versions of big · repo-insight']);
    expect(await headOf('/p/versions/%3Cb%3E')).to.deep.equal([200, 'Versions of &#60;b&#62; · repo-insight']);
    expect(await headOf('/p/versions/too-long')).to.deep.equal([404, 'Page · repo-insight']);
    expect(await headOf('/p/nothing')).to.deep.equal([404, 'Page · repo-insight']);
  });

  it('report unknown names and paths, and values that the page rejects', async () => {
    const failure = async (path: string) => {
      const { code, detail } = await read<{ code: string; detail: string }>(path);
      return [code, detail];
    };
    const all = '/console/pages/ lists all pages.';
    expect(await failure('/console/pages/none/')).to.deep.equal([
      'page_not_found',
      `There is no page named none. ${all}`,
    ]);
    expect(await failure('/console/page/?path=/p/none')).to.deep.equal([
      'page_not_found',
      `There is no page at /p/none. ${all}`,
    ]);
    expect(await failure('/console/page/?path=/p/versions/too-long')).to.deep.equal([
      'bad_parameter',
      'kind must be text of 1 to 5 characters, got "too-long"',
    ]);
  });

  it('change with a reload: added, changed and removed files', async () => {
    expect(await reload()).to.deep.equal({ pages: NO_CHANGE, problems: [] });
    await own.write(
      'pages/more/all.yaml',
      PAGE.replace('name: versions', 'name: all').replace('/p/versions/', '/p/all/'),
    );
    await own.write('pages/versions.yaml', PAGE.replace('All versions.', 'Every version.'));
    expect(await reload()).to.deep.equal({
      pages: { ...NO_CHANGE, added: ['all'], changed: ['versions'] },
      problems: [],
    });
    expect((await list()).map(({ name, summary }) => [name, summary])).to.deep.equal([
      ['all', 'All versions.'],
      ['versions', 'Every version.'],
    ]);
    await own.remove('pages/more/all.yaml');
    expect(await reload()).to.deep.equal({ pages: { ...NO_CHANGE, removed: ['all'] }, problems: [] });
    expect(await headOf('/p/all/big')).to.deep.equal([404, 'Page · repo-insight']);
    await own.write('pages/versions.yaml', PAGE);
    expect(await reload()).to.deep.equal({ pages: { ...NO_CHANGE, changed: ['versions'] }, problems: [] });
  });

  it('keep the last good version of a broken file, and say so everywhere', async () => {
    await own.write('pages/versions.yaml', PAGE.replace('blocks:', 'block:'));
    const problems = ['pages/versions.yaml:7 unknown key (did you mean "blocks"?)'];
    const outdated = { ...NO_CHANGE, changed: ['versions'], outdated: ['versions'] };
    expect(await reload()).to.deep.equal({ pages: outdated, problems });
    time = new Date(SYSTEM_TIME.getTime() + 60_000);
    expect(await reload()).to.deep.equal({ pages: { ...NO_CHANGE, outdated: ['versions'] }, problems });
    expect(await list()).to.deep.equal([{ ...SUMMARY, state: 'outdated' }]);
    expect(await find('/p/versions/big')).to.include({ title: 'Versions of {kind}', state: 'outdated' });
    const { pages } = await read<{ pages: { served: number; outdated: object[] } }>('/readyz');
    expect([pages.served, pages.outdated]).to.deep.equal([1, [{ name: 'versions', since: SYSTEM_TIME.toISOString() }]]);
    const logged = demo.log.filter(({ msg }) => msg === 'the definitions were reloaded with problems');
    expect(logged.map((line) => line.pages)).to.deep.equal([outdated]);
    await own.write('pages/versions.yaml', PAGE);
    expect(await reload()).to.deep.equal({ pages: { ...NO_CHANGE, changed: ['versions'] }, problems: [] });
  });

  it('become outdated when a definition changes so that they are wrong', async () => {
    const renamed = versionOf('one', 2).replaceAll('col: version', 'col: number').replace('AS version', 'AS number');
    await own.write('endpoints/one.yaml', renamed);
    expect(await reload()).to.deep.equal({
      pages: { ...NO_CHANGE, changed: ['versions'], outdated: ['versions'] },
      problems: ['pages/versions.yaml:10 "version" is not a column of the endpoint'],
    });
    await own.write('endpoints/one.yaml', versionOf('one', 3));
    expect(await reload()).to.deep.equal({ pages: { ...NO_CHANGE, changed: ['versions'] }, problems: [] });
  });

  it('are unavailable if they never had a good version', async () => {
    await own.write('pages/versions.yaml', PAGE.replace('endpoint: one', 'endpoint: two'));
    const folder = (name: string) => join(own.path, name);
    const environment = { ENDPOINTS_DIR: folder('endpoints'), PAGES_DIR: folder('pages') };
    const later = await startDemoService(environment);
    try {
      const get = async (path: string) => (await (await later.get(path)).json()) as Record<string, unknown>;
      expect(await get('/console/pages/')).to.deep.equal({ data: [BROKEN] });
      const message =
        'versions is unavailable: its file has a problem (line 9, blocks.1.endpoint). Operators find the reason in the log and with `endpoint check`.';
      for (const path of ['/console/pages/versions/', '/console/page/?path=/p/versions/big']) {
        expect(await get(path)).to.include({ status: 503, code: 'page_broken', detail: message });
      }
      expect((await get('/readyz')).pages).to.deep.equal({
        served: 0,
        outdated: [],
        broken: [{ name: 'versions', path: '/p/versions/{kind}' }],
      });
      expect(later.log.map(({ msg }) => msg)).to.include('pages of the console have problems');
    } finally {
      await later.close();
      await own.write('pages/versions.yaml', PAGE);
    }
  });

  it('stay if their folder is gone', async () => {
    await rename(join(own.path, 'pages'), join(own.path, 'away'));
    const { pages, problems } = await reload();
    expect([pages, problems.length]).to.deep.equal([NO_CHANGE, 1]);
    expect(await list()).to.deep.equal([{ ...SUMMARY, state: 'served' }]);
    await rename(join(own.path, 'away'), join(own.path, 'pages'));
    expect((await reload()).problems).to.deep.equal([]);
  });

  it('follow the files with a watch', async () => {
    await demo.service.definitions.watch();
    await own.write(
      'pages/other.yaml',
      PAGE.replace('name: versions', 'name: other').replace('/p/versions/', '/p/other/'),
    );
    await eventually(async () => (await list()).length === 2);
    await own.write('pages/other.yaml', 'name: other');
    await eventually(async () => (await list()).some(({ state }) => state === 'outdated'));
    await own.remove('pages/other.yaml');
    await eventually(async () => (await list()).length === 1);
  });
});
