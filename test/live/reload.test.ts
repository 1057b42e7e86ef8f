import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createRandom } from '../../demo/world/random.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import { type DemoService, startDemoService } from '../service/demo-service.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { eventually } from '../services/eventually.js';
import { EDITS, EditsUnderLoad } from './edits-under-load.js';
import { createOwnFolder, type OwnFolder, see, serveOnly, versionOf } from './own-folder.js';

const OK = { status: 200, isOutdated: false };
const NO_PAGES = { added: [], changed: [], removed: [], outdated: [] };
const OUTDATED = { status: 200, isOutdated: true };

describe('a reload of the definitions', () => {
  let demo: DemoService;
  let own: OwnFolder;
  /** The number of other definitions in the service. */
  let shipped: number;

  before(async () => {
    shipped = (await loadDefinitions({ endpointsDirectory: FEW_ENDPOINTS })).length;
    own = await createOwnFolder();
    demo = await startDemoService({ ENDPOINTS_DIR: `${FEW_ENDPOINTS},${own.path}` });
  });

  beforeEach(async () => {
    await serveOnly(own, demo, 'one.yaml', versionOf('one', 1));
    demo.log.splice(0);
  });

  after(async () => {
    await demo?.close();
    await own?.close();
  });

  const reload = async () => {
    const { problems, endpoints, ms, ...report } = await demo.service.definitions.reload();
    expect(ms).to.be.a('number');
    return {
      ...report,
      endpoints: endpoints - shipped,
      problems: problems.map(({ file, message }) => `${file.slice(own.path.length + 1)}: ${message}`),
    };
  };
  const one = () => see(demo.service.url, '/v1/live/one/');
  const NO_CHANGE = {
    added: [],
    changed: [],
    removed: [],
    outdated: [],
    canaries: [],
    pages: NO_PAGES,
    problems: [],
    endpoints: 1,
  };

  it('serves added, changed and removed definitions, and keeps the others', async () => {
    expect(await one()).to.deep.equal({ ...OK, version: '1' });
    expect(await reload()).to.deep.equal(NO_CHANGE);
    await own.write('one.yaml', versionOf('one', 2));
    await own.write('two.yaml', versionOf('two', 1));
    expect(await one()).to.deep.equal({ ...OK, version: '1' });
    expect(await reload()).to.deep.equal({ ...NO_CHANGE, added: ['two'], changed: ['one'], endpoints: 2 });
    expect(await one()).to.deep.equal({ ...OK, version: '2' });
    expect(await see(demo.service.url, '/v1/live/two/')).to.deep.equal({ ...OK, version: '1' });
    expect((await demo.get('/q/two')).status).to.equal(200);
    await own.remove('one.yaml');
    expect(await reload()).to.deep.equal({ ...NO_CHANGE, removed: ['one'], endpoints: 1 });
    expect(await one()).to.deep.equal({ status: 404 });
  });

  it('keeps stored answers of unchanged definitions, and never uses those of changed ones', async () => {
    const outcome = async (path: string) => (await demo.get(path)).headers.get('Cache-Status');
    await demo.get('/v1/collections/');
    expect(await outcome('/v1/collections/')).to.equal('repo-insight; hit; detail=memory');
    await own.write('one.yaml', versionOf('one', 2, { table: 'collections LIMIT 1' }));
    await reload();
    expect(await outcome('/v1/live/one/')).to.match(/^repo-insight; fwd=miss; stored/);
    expect(await outcome('/v1/live/one/')).to.equal('repo-insight; hit; detail=memory');
    expect(await outcome('/v1/collections/')).to.equal('repo-insight; hit; detail=memory');
    await own.write('one.yaml', versionOf('one', 3, { table: 'collections LIMIT 1' }));
    await reload();
    expect(await outcome('/v1/live/one/')).to.match(/^repo-insight; fwd=miss/);
    expect(await one()).to.deep.equal({ ...OK, version: '3' });
    // Only the text of the file changes and not the SQL, so the cached answer stays valid.
    await own.write('one.yaml', `# A note\n${versionOf('one', 3, { table: 'collections LIMIT 1' })}`);
    await reload();
    expect(await outcome('/v1/live/one/')).to.equal('repo-insight; hit; detail=memory');
  });

  it('lets a more specific path take over stored answers of another definition', async () => {
    await own.write(
      'any.yaml',
      versionOf('any', 1, {
        path: '/v1/live/{name}/',
        table: '(SELECT {{ name }} AS n) one',
        more: 'params: { name: { in: path, type: string, description: Name } }\n',
      }),
    );
    expect((await reload()).problems).to.deep.equal([]);
    const seen = () => see(demo.service.url, '/v1/live/special/');
    expect(await seen()).to.deep.equal({ ...OK, version: '1' });
    expect(await seen()).to.deep.equal({ ...OK, version: '1' });
    await own.write('special.yaml', versionOf('special', 9));
    await reload();
    expect(await seen()).to.deep.equal({ ...OK, version: '9' });
    await own.remove('special.yaml');
    await reload();
    expect(await seen()).to.deep.equal({ ...OK, version: '1' });
  });

  it('keeps the last good version of a broken file, and says so everywhere', async () => {
    await own.write('one.yaml', versionOf('one', 2).replace('sql:', 'sqll:'));
    const problems = ['one.yaml: unknown key (did you mean "sql"?)'];
    expect(await reload()).to.deep.equal({ ...NO_CHANGE, changed: ['one'], outdated: ['one'], problems });
    expect(await one()).to.deep.equal({ ...OUTDATED, version: '1' });
    expect(await one()).to.deep.equal({ ...OUTDATED, version: '1' });
    const ready = (await (await demo.get('/readyz')).json()) as { definitions: { outdated: { name: string }[] } };
    expect(ready.definitions.outdated.map(({ name }) => name)).to.deep.equal(['one']);
    const logged = demo.log.find(({ msg }) => msg === 'the definitions were reloaded with problems');
    expect(logged).to.deep.include({ level: 50, outdated: ['one'] });
    await own.write('one.yaml', versionOf('one', 3));
    expect(await reload()).to.deep.equal({ ...NO_CHANGE, changed: ['one'] });
    expect(await one()).to.deep.equal({ ...OK, version: '3' });
  });

  it('keeps the last good version of SQL that the database rejects, until the table exists', async () => {
    await own.write('one.yaml', versionOf('one', 2, { table: 'later_table' }));
    expect((await reload()).outdated).to.deep.equal(['one']);
    expect(await one()).to.deep.equal({ ...OUTDATED, version: '1' });
    await demo.store.define(['CREATE TABLE later_table (n INT)'], async () => undefined);
    expect((await reload()).outdated).to.deep.equal([]);
  });

  it('answers 503 for a new file with problems', async () => {
    await own.write('two.yaml', versionOf('two', 1).replace('sql: SELECT', 'sql: SELEC'));
    expect((await reload()).outdated).to.deep.equal([]);
    expect(await see(demo.service.url, '/v1/live/two/')).to.deep.equal({ status: 503 });
  });

  it('has no last good version of SQL that the database rejected since the start', async () => {
    await own.write('one.yaml', versionOf('one', 1, { table: 'no_such_table' }));
    const later = await startDemoService({ ENDPOINTS_DIR: `${FEW_ENDPOINTS},${own.path}` });
    try {
      const status = async () => (await see(later.service.url, '/v1/live/one/')).status;
      expect(await status()).to.equal(503);
      await own.write('one.yaml', versionOf('one', 2, { table: 'not_this_either' }));
      const { outdated, problems } = await later.service.definitions.reload();
      expect(outdated).to.deep.equal([]);
      expect(problems[0]?.message).to.include('not_this_either');
      expect(await status()).to.equal(503);
    } finally {
      await later.close();
    }
  });

  it('replaces a definition of the package only with overrides, and restores it', async () => {
    const path = '/v1/collections/';
    const seen = () => see(demo.service.url, path);
    await own.write('mine.yaml', versionOf('list-collections', 7, { path }));
    const { problems } = await reload();
    expect(problems).to.have.length(1);
    expect(problems[0]).to.match(
      /^mine.yaml: the name "list-collections" is already used by .*write "overrides: true"/,
    );
    expect(await seen()).to.deep.equal({ ...OK, version: undefined });
    await own.write('mine.yaml', versionOf('list-collections', 7, { path, more: 'overrides: true\n' }));
    expect(await reload()).to.deep.equal({ ...NO_CHANGE, changed: ['list-collections'] });
    expect(await seen()).to.deep.equal({ ...OK, version: '7' });
    await own.write('mine.yaml', 'name: list-collections\noverrides: true\n[');
    expect((await reload()).outdated).to.deep.equal(['list-collections']);
    expect(await seen()).to.deep.equal({ ...OUTDATED, version: '7' });
    await own.remove('mine.yaml');
    expect(await reload()).to.deep.equal({ ...NO_CHANGE, changed: ['list-collections'] });
    expect(await seen()).to.deep.equal({ ...OK, version: undefined });
  });

  it('changes nothing if a folder is gone', async () => {
    await rename(own.path, `${own.path}-away`);
    const { problems, ...report } = await reload();
    const { problems: _, ...same } = NO_CHANGE;
    expect(report).to.deep.equal(same);
    expect(problems).to.have.length(1);
    expect(await one()).to.deep.equal({ ...OK, version: '1' });
    await rename(`${own.path}-away`, own.path);
    expect(await reload()).to.deep.equal(NO_CHANGE);
  });

  describe('with a watch', () => {
    before(() => demo.service.definitions.watch());

    it('follows files that are saved, replaced, renamed, moved into a folder and removed', async () => {
      const becomes = async (expected: object) => {
        await eventually(async () => JSON.stringify(await one()) === JSON.stringify(expected));
      };
      await own.write('one.yaml', versionOf('one', 2));
      await becomes({ status: 200, version: '2', isOutdated: false });
      await own.write('.one.swp', versionOf('one', 99));
      await own.write('one.yaml.tmp', versionOf('one', 3));
      await rename(join(own.path, 'one.yaml.tmp'), join(own.path, 'one.yaml'));
      await becomes({ status: 200, version: '3', isOutdated: false });
      await own.write('deep/er/other.yaml', versionOf('other', 1));
      await eventually(async () => (await see(demo.service.url, '/v1/live/other/')).status === 200);
      await rename(join(own.path, 'one.yaml'), join(own.path, 'deep/one.yml'));
      await own.write('deep/one.yml', versionOf('one', 4));
      await becomes({ status: 200, version: '4', isOutdated: false });
      await own.write('deep/one.yml', '');
      await becomes({ status: 200, version: '4', isOutdated: true });
      await own.remove('deep');
      await becomes({ status: 404 });
    });

    it('never fails a request during edits that a last good definition can answer, and never mixes two versions', async () => {
      const edits = new EditsUnderLoad(demo, own, createRandom(1, 'edits'));
      await edits.start();
      for (const kind of EDITS) await edits.edit(kind);
      await edits.stop();
      expect(edits.faults).to.deep.equal([]);
    });
  });
});
