import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Warehouse } from '../../server/databases/warehouse.js';
import { databaseFile } from '../../server/settings/database-location.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { connectHttp } from '../mcp/mcp-client.js';
import { copyEmptyFile } from '../service/demo-data.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { type Outcome, run, serveHere, stopAll } from './command-line.js';
import { openHere, runHere } from './commands-here.js';

const DOCUMENT = `description: Plans of a price list.
columns:
  plan: { type: VARCHAR(20), description: Name of the plan. }
  price: { type: INT, description: Price per month., unit: EUR }
key: [plan]
`;

describe('the commands for own tables', () => {
  let folder: string;
  let environment: Record<string, string>;
  /** The database of all tests. Each test drops its table. */
  let data: { readonly folder: string; readonly warehouse: Warehouse };

  before(async () => {
    const parent = await mkdtemp(join(tmpdir(), 'repo-insight-own-'));
    await copyEmptyFile(databaseFile(readSettings({ DATA_DIR: parent })) ?? '');
    data = { folder: parent, warehouse: await openHere({ DATA_DIR: parent }) };
  });
  after(async () => {
    await data.warehouse.close();
    await rm(data.folder, { recursive: true });
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-own-'));
    environment = { DATA_DIR: data.folder, PORT: '0', ENDPOINTS_DIR: FEW_ENDPOINTS };
    await writeFile(join(folder, 'plans.csv'), 'plan,price\nfree,0\nteam,9\n');
  });
  afterEach(async () => {
    await command(['data', 'table', 'drop', 'own_plans']);
    await rm(folder, { recursive: true });
  });

  /** Runs a command as a service does that has the database open. */
  const command = (words: readonly string[], changed: Readonly<Record<string, string>> = {}) =>
    runHere(words, readSettings({ ...environment, ...changed }), data.warehouse, { cwd: folder });
  const table = (...words: string[]) => command(['data', 'table', ...words]);
  const document = () => writeFile(join(folder, 'plans.table.yaml'), DOCUMENT);
  const columns = [
    { name: 'plan', type: 'VARCHAR(20)', description: 'Name of the plan.' },
    { name: 'price', type: 'INT', description: 'Price per month.', unit: 'EUR' },
  ];

  it('load, list and drop a table', async () => {
    await document();
    const loaded = await table('load', 'plans.csv', '--json');
    expect([loaded.code, loaded.err]).to.deep.equal([0, '']);
    const { version, loadedAt, ...rest } = JSON.parse(loaded.out);
    const facts = { name: 'own_plans', rows: 2, columns, key: ['plan'], source: 'plans.csv' };
    expect(rest).to.deep.equal({ ...facts, inferred: false });
    const listed = await table('list', '--json');
    expect(JSON.parse(listed.out)).to.deep.equal([
      { ...facts, description: 'Plans of a price list.', version, loadedAt },
    ]);
    expect((await table('list')).out).to.match(/│ own_plans +│ +2 │ plan, price +│/);
    expect(await table('drop', 'own_plans')).to.deep.equal({ code: 0, out: 'Dropped own_plans.\n', err: '' });
    expect((await table('list')).out).to.equal('There are no own tables. `data table load <file>` loads one.\n');
  });

  it('say how to document a file whose types they inferred, and write the documentation', async () => {
    const { code, out, err } = await table('load', 'plans.csv');
    expect([code, out.replace(/version \S+/, 'version V')]).to.deep.equal([
      0,
      'own_plans: 2 rows, version V\ncolumns: plan VARCHAR(32), price BIGINT\n',
    ]);
    expect(err).to.match(/^The file has no documentation, .* `data table load <file> --describe`/);
    const path = join(folder, 'plans.table.yaml');
    const described = await table('load', 'plans.csv', '--describe');
    expect([described.code, described.out]).to.deep.equal([
      0,
      `Wrote ${path}. Add the descriptions, then load the file.\n`,
    ]);
    const text = await readFile(path, 'utf8');
    expect(text).to.include("description: ''\ncolumns:\n  plan:\n    type: VARCHAR(32)\n    description: ''\n");
    const incomplete = await table('load', 'plans.csv', '--replace');
    expect([incomplete.code, incomplete.err]).to.deep.equal([
      2,
      `${path}:3:15 description: invalid value (expected text of at least 1 character, got "")
${path}:7:19 columns.plan.description: invalid value (expected text of at least 1 character, got "")
${path}:10:19 columns.price.description: invalid value (expected text of at least 1 character, got "")
`,
    ]);
    await writeFile(path, text.replaceAll("''", 'Something.'));
    expect((await table('load', 'plans.csv', '--replace')).code).to.equal(0);
    const again = await table('load', 'plans.csv', '--describe');
    expect([again.code, again.err]).to.deep.equal([2, `${path} exists. Change it, or remove it first.\n`]);
  });

  it('load a table that `tables` and `endpoint new` describe', async () => {
    await document();
    await table('load', 'plans.csv');
    const words = ['endpoint', 'new', '--table', 'own_plans', '--dry-run'];
    const proposed = await command(words, { ENDPOINTS_DIR: `${folder},${FEW_ENDPOINTS}` });
    expect(proposed.out).to.include('name: plans\n').and.to.include('summary: Plans of a price list\n');
    expect(proposed.out).to.include('description: Price per month }');
    await expectDescribed(command);
  });

  it('load a table without documentation, for which `endpoint new` derives the descriptions from the names', async () => {
    await table('load', 'plans.csv');
    const words = ['endpoint', 'new', '--table', 'own_plans', '--json'];
    const proposed = await command(words, { ENDPOINTS_DIR: folder });
    expect([proposed.code, proposed.err]).to.deep.equal([0, '']);
    const { text } = JSON.parse(proposed.out);
    expect(text).to.include('summary: Plans\n').and.to.include('nullable: false, description: Plan }');
    expect(text).to.include('nullable: false, description: Price }');
    const list = await command(['tables']);
    expect(list.out.split('\n').at(-2)?.replace(/ +/, ' ')).to.equal('own_plans Own table without documentation.');
  });

  it('exit with 2 and one message if a file is wrong', async () => {
    await document();
    await writeFile(join(folder, 'plans.csv'), 'plan,price\nfree,0\nfree,9\n');
    const { code, out, err } = await table('load', 'plans.csv');
    const message = `${join(folder, 'plans.csv')}: row 2 has the same key as row 1: plan "free"\n`;
    expect([code, out, err]).to.deep.equal([2, '', message]);
    const dropped = await table('drop', 'own_plan');
    expect([dropped.code, dropped.err]).to.deep.equal([
      2,
      'There is no own table own_plan. `data table list` shows all own tables.\n',
    ]);
  });

  it('make answers that are stored, so that `endpoint check` has no note about the table', async () => {
    const definition = `name: plans
summary: Plans
columns:
  - { col: plan, data_type: VARCHAR, nullable: false, description: Name }
sql: SELECT plan FROM own_plans ORDER BY plan
`;
    await writeFile(join(folder, 'plans.yaml'), definition);
    const { code, out } = await command(['endpoint', 'check', 'plans.yaml', '--json']);
    expect([code, JSON.parse(out).notes]).to.deep.equal([0, []]);
    await document();
    await table('load', 'plans.csv');
    const answer = await command(['endpoint', 'run', 'plans', '--json'], { ENDPOINTS_DIR: folder });
    expect(JSON.parse(answer.out).data.rows).to.deep.equal([{ plan: 'free' }, { plan: 'team' }]);
  });

  it('run in the service that has the database open, with paths relative to the caller, and make resources for language models', async () => {
    await document();
    const own = { DATA_DIR: join(folder, 'data'), PORT: '0', ENDPOINTS_DIR: FEW_ENDPOINTS };
    await copyEmptyFile(databaseFile(readSettings(own)) ?? '');
    const runThere = (words: readonly string[]) => run(words, { environment: own, cwd: folder });
    const service = await serveHere(own);
    try {
      const { code, err } = await runThere(['data', 'table', 'load', 'plans.csv']);
      expect([code, err]).to.deep.equal([0, '']);
      const list = await runThere(['data', 'table', 'list', '--json']);
      expect(JSON.parse(list.out)[0]).to.include({ name: 'own_plans', rows: 2 });
      await expectDescribed(runThere);
      expect(await (await fetch(`${service.url}/q/tables/`)).text()).not.to.include('own_plans');
      const client = await connectHttp({ service });
      const { resources } = await client.listResources();
      const resource = resources.at(-1);
      expect(resource).to.deep.include({
        name: 'own_plans',
        title: 'Own table own_plans',
        description: 'Plans of a price list.',
      });
      const { contents } = await client.readResource({ uri: resource?.uri ?? '' });
      await client.close();
      const [{ text } = { text: '' }] = contents as { text: string }[];
      expect(JSON.parse(text)).to.deep.equal({
        table: 'own_plans',
        description: 'Plans of a price list.',
        is_own: true,
        columns: columns.map(({ name, type, description }) => ({ name, type, description })),
      });
      expect((await runThere(['data', 'migrate'])).code).to.equal(0);
      expect((await runThere(['data', 'table', 'drop', 'own_plans'])).code).to.equal(0);
    } finally {
      await service.close();
      stopAll();
    }
  });
});

const DESCRIBED = `own table  own_plans
meaning    Plans of a price list.

plan   VARCHAR(20)  Name of the plan.
price  INT (EUR)    Price per month.
`;

/** Expects that the command `tables` describes the table of the tests. */
async function expectDescribed(command: (words: readonly string[]) => Promise<Outcome>): Promise<void> {
  const list = await command(['tables']);
  expect([list.code, list.out.split('\n').at(-2)?.replace(/ +/, ' ')]).to.deep.equal([
    0,
    'own_plans Own table: Plans of a price list.',
  ]);
  expect(await command(['tables', 'OWN_plans'])).to.deep.equal({ code: 0, out: DESCRIBED, err: '' });
  const summaries = JSON.parse((await command(['tables', '--json'])).out) as { isOwn: boolean }[];
  expect(summaries.filter(({ isOwn }) => isOwn)).to.have.length(1);
  const unknown = await command(['tables', 'own_plan']);
  expect([unknown.code, unknown.err]).to.deep.equal([
    2,
    'There is no public table own_plan (did you mean "own_plans"?). `repo-insight tables` lists all tables.\n',
  ]);
}
