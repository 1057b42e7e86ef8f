import { expect } from 'chai';
import { type DemoService, startDemoService } from '../service/demo-service.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { eventually } from '../services/eventually.js';
import { createOwnFolder, type OwnFolder, versionOf } from './own-folder.js';

const definition = (sql: string, more = '', type = 'integer') => `name: toy
path: /v1/live/toy/
summary: A toy
params:
  n: { in: query, type: ${type}, enum: { sql: "${sql}"${more} }, required: true, description: Number. }
  all:
    { in: query, type: array, items: { type: ${type}, enum: { sql: "${sql}" } }, maxItems: 3, default: [], description: All }
columns: [{ col: value, data_type: VARCHAR, nullable: false, description: Value }]
sql: SELECT {{ n }} AS value FROM (SELECT 1 AS one) t {% if all %}WHERE one IN ({{ all }}) OR 1 = 1{% endif %}
`;
const FROM_TABLE = 'SELECT n FROM own_numbers ORDER BY n';

describe('values of parameters from a query', () => {
  let demo: DemoService;
  let own: OwnFolder;

  before(async () => {
    own = await createOwnFolder();
    // The shutdown timeout is short, because the query of the last test never ends.
    const settings = { ENDPOINTS_DIR: `${FEW_ENDPOINTS},${own.path}`, SHUTDOWN_TIMEOUT_MS: '1' };
    demo = await startDemoService(settings);
    await demo.store.define(['CREATE TABLE own_numbers (n INT)'], async () => undefined);
    await insert(1, 2, 30);
    await serve(FROM_TABLE);
  });

  after(async () => {
    await demo.close();
    await own.close();
  });

  const insert = (...values: number[]) =>
    demo.store.define([], async (tables) => {
      const rows = values.map((n) => [n]);
      await tables.insertRows('own_numbers', rows);
    });
  const serve = async (sql: string, more = '', type = 'integer') => {
    await own.write('toy.yaml', definition(sql, more, type).replace('default: [], ', ''));
    const { problems } = await demo.service.definitions.reload();
    expect(problems).to.deep.equal([]);
  };
  const ask = async (query: string) => {
    const response = await demo.get(`/v1/live/toy/?${query}`);
    const body = (await response.json()) as { data?: { rows: object[] }; message?: string; detail?: string };
    return { status: response.status, body: JSON.stringify(body) };
  };
  const choices = async (parameter = 'n') => (await demo.get(`/q/choices/toy/${parameter}/`)).json();

  it('are validated, described and listed', async () => {
    expect((await ask('n=30&all=1,2')).status).to.equal(200);
    const wrong = await ask('n=3');
    expect(wrong.status).to.equal(400);
    expect(wrong.body).to.include('n must be one of 1, 2, 30, got \\"3\\"');
    expect((await ask('n=1&all=1,7')).body).to.include('all must be one of 1, 2, 30, got \\"7\\"');
    expect(await choices()).to.deep.equal({ known: true, values: ['1', '2', '30'] });
    expect(await choices('all')).to.deep.equal({ known: true, values: ['1', '2', '30'] });
    expect((await demo.get('/q/choices/toy/none/')).status).to.equal(404);
    const document = await (await demo.get('/openapi.json')).text();
    expect(document).to.include('Number. Must be one of 1, 2, 30.');
  });

  it('follow the commits that change their table', async () => {
    await insert(3);
    await eventually(async () => (await ask('n=3')).status === 200);
    expect(await (await demo.get('/openapi.json')).text()).to.include('Number. Must be one of 1, 2, 3, 30.');
  });

  it('stay in use when the query fails, or returns a value of another type', async () => {
    await serve("SELECT CASE WHEN COUNT(*) > 4 THEN 'many' ELSE '1' END AS n FROM own_numbers", ', refresh: 1s');
    expect(await choices()).to.deep.equal({ known: true, values: ['1'] });
    await insert(4, 5);
    await eventually(() => demo.log.some(({ parameter }) => parameter === 'n'));
    expect(await choices()).to.deep.equal({ known: true, values: ['1'] });
    expect((await ask('n=4')).status).to.equal(400);
    const logged = demo.log.find(({ parameter }) => parameter === 'n') as { err: { message: string }; msg: string };
    expect(logged.err.message).to.equal('the query returns "many", which is not a value of type integer');
  });

  it('are not zero for an empty text', async () => {
    await serve("SELECT '' AS n FROM own_numbers WHERE 1 = 1");
    expect(await choices()).to.deep.equal({ known: false, values: [] });
  });

  it('accept everything until the query succeeds', async () => {
    await serve("SELECT 'x' AS n FROM own_numbers");
    expect(await choices()).to.deep.equal({ known: false, values: [] });
    expect((await ask('n=4')).status).to.equal(200);
  });

  it('can be texts that need no escape', async () => {
    await serve(
      "SELECT 'a,b <é>' AS n FROM (SELECT 1 AS one) t UNION ALL SELECT 'c' FROM (SELECT 1 AS one) t",
      '',
      'string',
    );
    expect((await ask(`n=${encodeURIComponent('a,b <é>')}`)).status).to.equal(200);
    expect((await ask('n=A')).status).to.equal(400);
  });

  it('do not delay a reload until a slow query ends', async () => {
    const slow = 'SELECT COUNT(*) AS n FROM github_events a, github_events b, github_events c, github_events d';
    await own.write('toy.yaml', `${definition(slow).replace('default: [], ', '')}limits: { timeout: 10m }\n`);
    await demo.service.definitions.reload();
    expect(await choices()).to.deep.equal({ known: false, values: [] });
    expect((await ask('n=4')).status).to.equal(200);
    await own.write('other.yaml', versionOf('other', 1));
    expect((await demo.service.definitions.reload()).added).to.deep.equal(['other']);
  });
});
