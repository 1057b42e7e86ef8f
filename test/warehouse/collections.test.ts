import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createEngine, PATIENT_METADATA_TIMEOUT_MS } from '../../engine/index.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import { CollectionsError, importCollections, readCollections } from '../../warehouse/collections.js';
import { importOsdbRepos } from '../../warehouse/osdb-repos.js';
import { NOW } from './test-store.js';
import { FIXTURES, onEveryDatabase, type TestWarehouse } from './test-warehouse.js';

const YAML = `
- id: 7
  name: Tools
  items:
    - { repo_id: 502, repo_name: acme/tool }
    - repo_name: ADA/Library
- id: 8
  name: Hidden
  public: false
  items:
    - repo_name: unknown/nothing
`;

onEveryDatabase('collections', (make) => {
  let warehouse: TestWarehouse;

  before(async () => {
    warehouse = await make();
    await warehouse.import([FIXTURES]);
  });
  after(() => warehouse.close());

  const importText = async (text: string) => {
    const file = join(warehouse.folder, 'collections.yaml');
    await writeFile(file, text);
    return importCollections(warehouse.store, file);
  };
  const problemsOf = (text: string) => {
    try {
      readCollections('c.yaml', text);
    } catch (error) {
      if (error instanceof CollectionsError) return error.message.split('\n');
    }
    return [];
  };

  it('are read from YAML, and a repository without an id is found by its name', async () => {
    expect(await importText(YAML)).to.deep.equal({ collections: 2, items: 2, unknown: ['unknown/nothing'] });
    expect(await warehouse.rows('SELECT * FROM collections')).to.deep.equal([
      ['7', 'Tools', '1'],
      ['8', 'Hidden', '0'],
    ]);
    expect(await warehouse.rows('SELECT id, collection_id, repo_name, repo_id FROM collection_items')).to.deep.equal([
      ['1', '7', 'acme/tool', '502'],
      ['2', '7', 'ADA/Library', '501'],
    ]);
  });

  it('find a repository by a former name', async () => {
    const [[former] = []] = await warehouse.rows(
      'SELECT name FROM repo_name_uses WHERE name NOT IN (SELECT repo_name_lower FROM github_repos) AND repo_id = 501',
    );
    expect(former).to.be.a('string');
    await importText(JSON.stringify([{ id: 7, name: 'Tools', items: [{ repo_name: former }] }]));
    expect(await warehouse.rows('SELECT repo_name, repo_id FROM collection_items')).to.deep.equal([[former, '501']]);
    await importText(YAML);
  });

  it('replace all stored ones, and keep ranks', async () => {
    await warehouse.store.write((tables) =>
      tables.run('UPDATE collection_items SET last_month_rank = 3 WHERE repo_id = 501'),
    );
    await importText(JSON.stringify([{ id: 7, name: 'Tools', items: [{ repo_name: 'ada/library', repo_id: 501 }] }]));
    expect(await warehouse.rows('SELECT * FROM collection_items')).to.deep.equal([
      ['1', '7', 'ada/library', '501', '3', null],
    ]);
    expect(await warehouse.rows('SELECT id FROM collections')).to.deep.equal([['7']]);
  });

  it('that are private are like unknown ones in every operation', async () => {
    const items = [{ repo_name: 'acme/tool' }, { repo_name: 'ADA/Library' }];
    const open = { id: 1, name: 'Open', items };
    await importText(JSON.stringify([open, { id: 2, name: 'Private', public: false, items }]));
    const endpoints = await loadDefinitions({ endpointsDirectory: undefined });
    const engine = createEngine({
      endpoints,
      database: warehouse.database,
      clock: () => NOW,
      stopwatch: () => 0,
      metadataTimeoutMs: PATIENT_METADATA_TIMEOUT_MS,
    });
    const answers = async (id: string) => {
      const asked = endpoints.filter(({ definition }) => 'collection_id' in definition.params);
      const answered: [name: string, rows: readonly unknown[], notices: string][] = [];
      // The requests are sequential, because the database has one read connection, and a notice that waits too long for it is omitted.
      for (const { definition } of asked) {
        const given = { [definition.params.collection_id?.in ?? '']: { collection_id: id } };
        const { rows, notices, emptyNotices } = await engine.run(engine.endpoint(definition.name), {
          path: {},
          query: {},
          ...given,
        });
        const texts = JSON.stringify([notices, emptyNotices]).replaceAll(`collection ${id}`, '');
        answered.push([definition.name, rows, texts]);
      }
      return answered;
    };
    expect(await answers('2')).to.deep.equal(await answers('3'));
    expect((await answers('1')).filter(([, rows]) => rows?.length === 0)).to.have.length.below(6);
  });

  it('with problems are rejected with all problems and their lines', () => {
    expect(problemsOf('- id: x\n  nam: A\n  items:\n    - repo_name: just-a-name\n')).to.deep.equal([
      'c.yaml:1:3 0: the key "name" is missing',
      'c.yaml:2:8 0.nam: unknown key',
      'c.yaml:1:7 0.id: invalid value (expected an integer, got "x")',
      'c.yaml:4:18 0.items.0.repo_name: invalid value (expected owner/name, got "just-a-name")',
    ]);
    const twice = '- {id: 1, name: A, items: []}\n- {id: 1, name: a, items: []}\n';
    expect(problemsOf(twice)).to.deep.equal([
      'c.yaml:2:8 1.id: an earlier collection already has the id 1',
      'c.yaml:2:17 1.name: an earlier collection already has the name a',
    ]);
    expect(problemsOf('- id: [1\n')[0]).to.match(/^c\.yaml:\d+:\d+ not valid YAML: /);
  });

  it('have a similar file format for the groups of database repositories', async () => {
    const file = join(warehouse.folder, 'databases.json');
    await writeFile(file, JSON.stringify([{ group_name: 'stores', repo_id: 502, repo_name: 'acme/tool' }]));
    expect(await importOsdbRepos(warehouse.store, file)).to.equal(1);
    expect(await importOsdbRepos(warehouse.store, file)).to.equal(1);
    expect(await warehouse.rows('SELECT * FROM osdb_repos')).to.deep.equal([['502', 'acme/tool', 'stores']]);
  });
});
