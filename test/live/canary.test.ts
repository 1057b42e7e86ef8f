import { expect } from 'chai';
import { compareAnswers } from '../../server/live/canaries.js';
import { endpointOf } from '../engine/fixtures.js';
import { type DemoService, startDemoService } from '../service/demo-service.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { eventually } from '../services/eventually.js';
import { createOwnFolder, type OwnFolder, see, serveOnly, versionOf } from './own-folder.js';

const definition = (sql: string, param = 'type: integer, minimum: 0') => `name: toy
path: /v1/live/toy/
summary: A toy
params: { n: { in: query, ${param}, required: true, description: Number } }
columns: [{ col: value, data_type: BIGINT, nullable: false, description: Value }]
sql: ${sql}
`;
const STABLE = definition('SELECT {{ n }} AS value FROM (SELECT 1 AS one) t');
/** The database accepts this expression, but computing it fails. */
const FAILING = 'CAST(9223372036854775807 AS SIGNED) + {{ n }} * 1';
const REQUESTS = 30;

describe('a canary', () => {
  let demo: DemoService;
  let own: OwnFolder;

  before(async () => {
    own = await createOwnFolder();
    demo = await startDemoService({ ENDPOINTS_DIR: `${FEW_ENDPOINTS},${own.path}` });
  });

  beforeEach(() => serveOnly(own, demo, 'toy.yaml', STABLE));

  after(async () => {
    await demo?.close();
    await own?.close();
  });

  const ask = async (n: number | string) => {
    const response = await fetch(`${demo.service.url}/v1/live/toy/?n=${n}`);
    const { data } = (await response.json()) as { data?: { rows: { value: string }[] } };
    const isCandidate = response.headers.get('X-Definition-Canary') === 'candidate';
    return { status: response.status, value: data?.rows[0]?.value, isCandidate };
  };
  /** Requests all numbers. Returns those that the candidate answered. */
  const askAll = async (expected: (n: number, isCandidate: boolean) => string) => {
    const chosen: number[] = [];
    for (let n = 0; n < REQUESTS; n += 1) {
      const { status, value, isCandidate } = await ask(n);
      expect([status, value]).to.deep.equal([200, expected(n, isCandidate)]);
      if (isCandidate) chosen.push(n);
    }
    return chosen;
  };
  const start = async (yaml: string) => {
    await own.write('toy.yaml', yaml);
    const { canaries, changed, problems } = await demo.service.definitions.reload({ canaryPercent: 25 });
    expect([canaries, changed, problems]).to.deep.equal([['toy'], [], []]);
  };
  const counts = () => {
    const [canary] = demo.service.definitions.canaries();
    if (canary === undefined) throw new Error('there is no canary');
    const { answered, equal, different, undecided, failed } = canary;
    return { answered, equal, different, undecided, failed };
  };
  const isCompared = () => {
    const { answered, equal, different, undecided } = counts();
    return answered === equal + different + undecided;
  };

  it('answers its share of the requests, the same requests each time, and is compared', async () => {
    await start(definition('SELECT CASE WHEN {{ n }} < 20 THEN {{ n }} ELSE -1 END AS value FROM (SELECT 1 AS one) t'));
    const chosen = await askAll((n, isCandidate) => String(isCandidate && n >= 20 ? -1 : n));
    expect(chosen.length).to.be.within(3, 15);
    await eventually(isCompared);
    const different = chosen.filter((n) => n >= 20).length;
    const expected = { answered: chosen.length, equal: chosen.length - different, different, undecided: 0, failed: 0 };
    expect(counts()).to.deep.equal(expected);
    const [{ example } = { example: undefined }] = demo.service.definitions.canaries();
    const first = chosen.find((n) => n >= 20);
    expect(example).to.deep.equal({ at: 'row 1, value', one: `"${first}"`, other: '"-1"', parameters: { n: first } });
    expect(await askAll((n, isCandidate) => String(isCandidate && n >= 20 ? -1 : n))).to.deep.equal(chosen);
  });

  it('is compared on tables without versions, too', async () => {
    const unversioned = (value: string) =>
      definition(`SELECT ${value} AS value FROM (SELECT COUNT(*) AS n FROM table_order) t`);
    const compare = async (stable: string, candidate: string) => {
      await serveOnly(own, demo, 'toy.yaml', unversioned(stable));
      await start(unversioned(candidate));
      for (let n = 0; n < REQUESTS; n += 1) expect((await ask(n)).status).to.equal(200);
      await eventually(isCompared);
      const { answered, ...others } = counts();
      expect(answered).to.be.greaterThan(0);
      return Object.fromEntries(Object.entries(others).map(([name, count]) => [name, count / answered]));
    };
    const none = { equal: 0, different: 0, undecided: 0, failed: 0 };
    expect(await compare('{{ n }}', '{{ n }} + 0')).to.deep.equal({ ...none, equal: 1 });
    expect(await compare('{{ n }}', '{{ n }} + 1')).to.deep.equal({ ...none, different: 1 });
  });

  it('is not compared while the data change or its previous version fails', async () => {
    const endpoint = await endpointOf(STABLE.replace('path: /v1/live/toy/\n', ''));
    const of = (value: number | undefined) =>
      value === undefined ? undefined : { endpoint, rows: [[value]], truncated: false, versions: undefined };
    /** Compares an answer with the values of later answers, in order. */
    const verdictOf = (first: number, stable: (number | undefined)[], candidate: (number | undefined)[]) =>
      compareAnswers(
        { endpoint, rows: [[first]], truncated: false, versions: undefined },
        async () => of(stable.shift()),
        async () => of(candidate.shift()),
      );
    const different = { at: 'row 1, value', one: '"1"', other: '"2"' };
    expect(await verdictOf(1, [1], [])).to.equal('equal');
    expect(await verdictOf(2, [1, 1], [2])).to.deep.equal(different);
    // The data changed before the first answer of the stable version, or between its two answers.
    expect(await verdictOf(1, [2, 2], [2])).to.equal('equal');
    expect(await verdictOf(2, [1, 2], [2])).to.equal('undecided');
    expect(await verdictOf(2, [undefined], [])).to.equal('undecided');
    expect(await verdictOf(2, [1, 1], [undefined])).to.equal('undecided');
    expect(await verdictOf(2, [1, undefined], [2])).to.equal('undecided');
  });

  it('continues each list with the version that wrote its cursor', async () => {
    const paged = (order: string) => `name: paged
path: /v1/live/paged/
summary: Collections
params: { n: { in: query, type: integer, required: true, description: Makes requests different } }
columns: [{ col: id, data_type: BIGINT, nullable: false, description: Number }]
pagination: { default: 1, max: 3 }
sql: SELECT c.id FROM collections c WHERE c.id > {{ n }} * 0 ORDER BY c.id ${order}
`;
    await own.write('paged.yaml', paged('ASC'));
    await demo.service.definitions.reload();
    await own.write('paged.yaml', paged('DESC'));
    const { canaries } = await demo.service.definitions.reload({ canaryPercent: 50 });
    expect(canaries).to.deep.equal(['paged']);
    const listOf = async (n: number) => {
      const [ids, versions] = [[] as number[], new Set<boolean>()];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const path = `/v1/live/paged/?n=${n}${cursor === '' ? '' : `&cursor=${cursor}`}`;
        const response = await fetch(demo.service.url + path);
        const { data } = (await response.json()) as {
          data: { rows: { id: string }[]; result: { next_cursor: string | null } };
        };
        versions.add(response.headers.get('X-Definition-Canary') === 'candidate');
        ids.push(...data.rows.map(({ id }) => Number(id)));
        cursor = data.result.next_cursor;
      }
      return { ids, versions: [...versions] };
    };
    const lists = await Promise.all(Array.from({ length: 20 }, (_, n) => listOf(n)));
    const ascending = [...(lists[0]?.ids ?? [])].sort((one, other) => one - other);
    expect(ascending.length).to.be.above(2);
    const orders = { ascending, descending: [...ascending].reverse() };
    for (const { ids, versions } of lists) {
      expect(versions).to.have.length(1);
      expect(ids).to.deep.equal(versions[0] ? orders.descending : orders.ascending);
    }
    expect(new Set(lists.map(({ versions }) => versions[0])).size).to.equal(2);
  });

  it('answers all requests after it is promoted, and also after a change during the canary', async () => {
    await start(definition('SELECT {{ n }} + 1 AS value FROM (SELECT 1 AS one) t'));
    await own.write('toy.yaml', definition('SELECT {{ n }} + 2 AS value FROM (SELECT 1 AS one) t'));
    expect((await demo.service.definitions.reload()).canaries).to.deep.equal(['toy']);
    const chosen = await askAll((n, isCandidate) => String(isCandidate ? n + 2 : n));
    expect(chosen).to.not.deep.equal([]);
    const { changed, canaries } = await demo.service.definitions.reload({ promoted: ['toy'] });
    expect([changed, canaries]).to.deep.equal([['toy'], []]);
    expect(await askAll((n) => String(n + 2))).to.deep.equal([]);
  });

  it('is not served after it is discarded, until its file changes', async () => {
    // No other test uses this version, because it stays discarded.
    await start(definition('SELECT {{ n }} + 7 AS value FROM (SELECT 1 AS one) t'));
    await askAll((n, isCandidate) => String(isCandidate ? n + 7 : n));
    const { outdated, canaries, problems } = await demo.service.definitions.discard(['toy']);
    expect([outdated, canaries]).to.deep.equal([['toy'], []]);
    expect(problems.map(({ message }) => message)).to.deep.equal([
      'this version was discarded: change the file, or restore the version that is served',
    ]);
    expect(await askAll(String)).to.deep.equal([]);
    expect((await demo.service.definitions.reload()).outdated).to.deep.equal(['toy']);
    await own.write('toy.yaml', STABLE);
    expect((await demo.service.definitions.reload()).outdated).to.deep.equal([]);
    expect(await askAll(String)).to.deep.equal([]);
  });

  it('never fails a request that the previous version answers', async () => {
    const bounded = 'type: integer, minimum: 10';
    await start(definition(`SELECT {{ n }} + ${FAILING} AS value FROM (SELECT 1 AS one) t`, bounded));
    const answers = await Promise.all(Array.from({ length: REQUESTS }, (_, n) => ask(n)));
    expect(answers.filter(({ status }) => status !== 200)).to.deep.equal([]);
    const rejected = answers.filter(({ isCandidate }, n) => isCandidate && n < 10);
    expect(rejected).to.deep.equal([]);
    expect(counts().failed).to.be.greaterThan(0);
    expect((await ask('x')).status).to.equal(400);
  });

  it('pauses while its file has problems, and ends when its file is removed', async () => {
    const plusOne = definition('SELECT {{ n }} + 1 AS value FROM (SELECT 1 AS one) t');
    await start(plusOne);
    await own.write('toy.yaml', 'name: [');
    const broken = await demo.service.definitions.reload();
    expect([broken.canaries, broken.outdated]).to.deep.equal([[], ['toy']]);
    expect(await askAll(String)).to.deep.equal([]);
    await own.write('toy.yaml', plusOne);
    expect((await demo.service.definitions.reload()).canaries).to.deep.equal(['toy']);
    const chosen = await askAll((n, isCandidate) => String(isCandidate ? n + 1 : n));
    expect(chosen.length).to.be.within(3, 15);
    const response = await fetch(`${demo.service.url}/v1/live/toy/?n=${notIn(chosen)}`);
    expect(response.headers.get('X-Definition-Outdated')).to.equal(null);
    await own.remove('toy.yaml');
    await demo.service.definitions.reload();
    expect((await ask(1)).status).to.equal(404);
  });

  it('gets the share of a later reload', async () => {
    await start(definition('SELECT {{ n }} + 1 AS value FROM (SELECT 1 AS one) t'));
    await demo.service.definitions.reload({ canaryPercent: 90 });
    expect(demo.service.definitions.canaries().map(({ percent }) => percent)).to.deep.equal([90]);
    await demo.service.definitions.reload();
    const chosen = await askAll((n, isCandidate) => String(isCandidate ? n + 1 : n));
    expect(chosen.length).to.be.within(21, REQUESTS);
  });

  it('is promoted or discarded as it runs, without a look at the files', async () => {
    await own.write('other.yaml', other(1));
    await start(definition('SELECT {{ n }} + 1 AS value FROM (SELECT 1 AS one) t'));
    await own.write('toy.yaml', definition('SELECT {{ n }} + 2 AS value FROM (SELECT 1 AS one) t'));
    await own.write('other.yaml', other(2));
    expect((await demo.service.definitions.reload({ promoted: ['toy'] })).changed).to.deep.equal(['toy']);
    expect((await ask(1)).value).to.equal('2');
    expect(await see(demo.service.url, '/v1/live/other/')).to.deep.include({ version: '1' });
    expect((await demo.service.definitions.reload()).changed).to.deep.equal(['other', 'toy']);
    expect((await ask(1)).value).to.equal('3');
  });
});

const other = (version: number) => versionOf('other', version);

function notIn(chosen: readonly number[]): number {
  return Array.from({ length: REQUESTS }, (_, n) => n).find((n) => !chosen.includes(n)) ?? -1;
}
