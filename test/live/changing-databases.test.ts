import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openEmbedded } from '../../engine/databases/duckdb/embedded.js';
import { openMysql } from '../../engine/databases/mysql/database.js';
import { type Answer, createEngine, type Database, type Endpoint, NO_VERSIONS } from '../../engine/index.js';
import { compareAnswers } from '../../server/live/canaries.js';
import { compareAnswer, type RunAgain } from '../../server/shadow/compare-answer.js';
import { definitionOf, endpointOf } from '../engine/fixtures.js';
import { execute, useMysql } from '../services/mysql.js';
import { describeEmbedded, SERVER } from '../services/server.js';

/** A database that another program writes. */
interface Changing {
  readonly database: Database;
  readonly change: (sql: string) => Promise<unknown>;
}

const TABLE = [
  'CREATE TABLE stock (id BIGINT, pieces BIGINT, updated_at DATETIME)',
  "INSERT INTO stock VALUES (1, 1, '2026-01-01 00:00:00')",
];
const DIFFERENCE = { at: 'row 1, id', one: '"2"', other: '"1"' };

describeEmbedded('answers of DuckDB files that other programs write', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-changing-'));
  });
  after(() => rm(folder, { recursive: true }));

  testComparisons(async (name) => {
    const options = { file: join(folder, `${name}.duckdb`), memoryLimit: '128MB', threads: 1, readers: 2 };
    const database = await openEmbedded(options);
    const change = (sql: string) =>
      database.write(async (connection) => {
        await connection.run(sql);
      });
    return { database, change };
  });
});

describe(`answers of ${SERVER} databases that other programs write`, () => {
  const servers = { ours: useMysql(), shadow: useMysql() };

  testComparisons(async (name) => {
    const { url } = servers[name];
    const database = await openMysql({ url, connections: 2, allowWritingAccount: true });
    return { database, change: (sql) => execute(url, sql) };
  });
});

/** Compares answers of two databases. Changes happen at named steps: before the reads of one side. */
function testComparisons(open: (name: 'ours' | 'shadow') => Promise<Changing>): void {
  let ours: Changing;
  let shadow: Changing;
  /** The reads of both sides, and the changes, in their order. */
  let steps: string[];
  let beforeStep: (step: string, count: number) => Promise<unknown> | undefined;

  before(async () => {
    ours = await open('ours');
    shadow = await open('shadow');
    for (const statement of TABLE) await Promise.all([ours.change(statement), shadow.change(statement)]);
  });
  after(async () => {
    await ours?.database.close();
    await shadow?.database.close();
  });
  beforeEach(async () => {
    [steps, beforeStep] = [[], () => undefined];
    await setPieces(ours, 1);
    await setPieces(shadow, 1);
  });

  const setPieces = ({ change }: Changing, pieces: number) => change(`UPDATE stock SET pieces = ${pieces}`);
  const increase = ({ change }: Changing) => change('UPDATE stock SET pieces = pieces + 1');
  const take = async (step: string) => {
    steps.push(step);
    await beforeStep(step, steps.filter((one) => one === step).length);
  };
  const engineOf = (endpoint: Endpoint) =>
    createEngine({ endpoints: [endpoint], database: ours.database, stopwatch: () => 0, versions: NO_VERSIONS });
  const answerOf = async (more = ''): Promise<Answer> => {
    const endpoint = await endpointOf(definitionOf('SELECT s.pieces AS id FROM stock s', '', more));
    return engineOf(endpoint).run(endpoint, { path: {}, query: {} });
  };

  describe('compared with a shadow database', () => {
    const runOn =
      (name: string, side: () => Changing): RunAgain =>
      async (query, { endpoint, startedAt }, maxRows) => {
        if (query === endpoint.query) await take(name);
        const { database } = side();
        const { sql, values } = query.compile({}, startedAt);
        return database.query(database.prepare(sql), values, { maxRows, timeoutMs: 30_000 });
      };
    const compare = (answer: Answer) =>
      compareAnswer(answer, {
        ours: runOn('ours', () => ours),
        shadows: runOn('shadow', () => shadow),
        pause: () => take('pause'),
      });
    const ROUND = ['pause', 'ours', 'shadow', 'ours'];

    it('are equal without a second read if the rows are the same', async () => {
      expect(await compare(await answerOf())).to.deep.equal({ kind: 'equal' });
      expect(steps).to.deep.equal(['shadow']);
    });

    it('are equal if the shadow gets a change later', async () => {
      await setPieces(ours, 2);
      beforeStep = (step, count) => (step === 'pause' && count === 3 ? setPieces(shadow, 2) : undefined);
      expect(await compare(await answerOf())).to.deep.equal({ kind: 'equal' });
      expect(steps).to.deep.equal(['shadow', ...ROUND, ...ROUND, 'pause', 'ours', 'shadow']);
    });

    it('are equal if both get a change between the reads', async () => {
      await setPieces(shadow, 3);
      beforeStep = (step, count) => (step === 'shadow' && count === 2 ? setPieces(ours, 3) : undefined);
      expect(await compare(await answerOf())).to.deep.equal({ kind: 'equal' });
      expect(steps).to.deep.equal(['shadow', ...ROUND]);
    });

    it('are undecided if the data change during each attempt', async () => {
      await setPieces(ours, 2);
      beforeStep = (step) => (step === 'shadow' ? increase(ours) : undefined);
      expect(await compare(await answerOf())).to.deep.equal({ kind: 'undecided', dataAsOf: undefined });
      expect(steps).to.deep.equal(['shadow', ...ROUND, ...ROUND, ...ROUND]);
    });

    it('differ if the rows of the service stay the same and differ in every attempt', async () => {
      await setPieces(ours, 2);
      expect(await compare(await answerOf())).to.deep.equal({ kind: 'different', difference: DIFFERENCE });
      expect(steps).to.deep.equal(['shadow', ...ROUND, ...ROUND, ...ROUND]);
    });

    it('differ in the first attempt without a change if they have versions', async () => {
      await setPieces(ours, 2);
      const answer = { ...(await answerOf()), versions: new Map([['stock', '1.a']]) };
      beforeStep = (step, count) => (step === 'shadow' && count === 2 ? setPieces(ours, 3) : undefined);
      const difference = { ...DIFFERENCE, one: '"3"' };
      expect(await compare(answer)).to.deep.equal({ kind: 'different', difference });
      expect(steps).to.deep.equal(['shadow', ...ROUND, ...ROUND]);
    });

    it('are undecided if the data keep another time', async () => {
      const dataAsOf = 'data_as_of: SELECT MAX(updated_at) FROM stock';
      await setPieces(ours, 2);
      await ours.change("UPDATE stock SET updated_at = '2026-01-02 00:00:00'");
      expect(await compare(await answerOf(dataAsOf))).to.deep.equal({
        kind: 'undecided',
        dataAsOf: { ours: '2026-01-02 00:00:00', shadows: '2026-01-01 00:00:00' },
      });
      await ours.change("UPDATE stock SET updated_at = '2026-01-01 00:00:00'");
    });
  });

  describe('compared with a canary', () => {
    /** Compares the definition with one whose number is greater by `added`. */
    const compare = async (added: number) => {
      const runs = await Promise.all(
        ['stable', 'candidate'].map(async (name) => {
          const more = name === 'candidate' ? added : 0;
          const endpoint = await endpointOf(definitionOf(`SELECT s.pieces + ${more} AS id FROM stock s`));
          const engine = engineOf(endpoint);
          return async () => {
            await take(name);
            return engine.run(endpoint, { path: {}, query: {} });
          };
        }),
      );
      const [stable, candidate] = runs as [() => Promise<Answer>, () => Promise<Answer>];
      return compareAnswers(await candidate(), stable, candidate);
    };

    it('are equal, although the data change during the first two attempts', async () => {
      beforeStep = (step, count) => (step === 'stable' && count < 4 ? increase(ours) : undefined);
      expect(await compare(0)).to.equal('equal');
      expect(steps).to.deep.equal(['candidate', 'stable', ...Array(3).fill(['candidate', 'stable']).flat()]);
    });

    it('are undecided if the data change during each attempt', async () => {
      beforeStep = (step) => (step === 'stable' ? increase(ours) : undefined);
      expect(await compare(0)).to.equal('undecided');
      expect(steps).to.have.length(8);
    });

    it('differ if the data are the same before and after the canary', async () => {
      beforeStep = (step, count) => (step === 'stable' && count < 3 ? increase(ours) : undefined);
      expect(await compare(5)).to.deep.equal({ at: 'row 1, id', one: '"3"', other: '"8"' });
      expect(steps).to.have.length(6);
    });
  });
}
