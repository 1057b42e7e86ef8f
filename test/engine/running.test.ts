import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import { errorEnvelope, toEnvelope } from '../../engine/http/envelopes/envelope.js';
import { toPlanEnvelope, toQueryEnvelope } from '../../engine/http/envelopes/query-envelope.js';
import {
  createEngine,
  type Database,
  type EndedQuery,
  type Engine,
  EngineError,
  type EngineEvent,
  loadEndpoints,
  type RawParameters,
} from '../../engine/index.js';
import { BAKERY, definitionOf, endpointOf } from './fixtures.js';
import { openToyDatabase, type ToyDatabase } from './toy-database.js';

const isEnvelope = new Ajv({ allowUnionTypes: true }).compile(
  JSON.parse(readFileSync(new URL('../../../schemas/envelope.schema.json', import.meta.url), 'utf8')),
);

describe('the engine', () => {
  let database: ToyDatabase;
  let engine: Engine;
  let events: EngineEvent[];
  let time: number;
  const clock = () => new Date(time);
  const stopwatch = () => time;

  beforeEach(async () => {
    database = await openToyDatabase();
    const { endpoints } = await loadEndpoints(BAKERY);
    events = [];
    time = Date.parse('2024-05-03T00:00:00Z');
    engine = createEngine({
      endpoints,
      database,
      clock,
      stopwatch,
      observe: (event) => event.kind === 'queried' || events.push(event),
    });
  });
  afterEach(() => database.close());

  const run = (raw: Partial<RawParameters> = {}, name = 'list-loaves') =>
    engine.run(engine.endpoint(name), { path: { oven: 'stone' }, query: {}, ...raw });

  it('returns answers for the envelope', async () => {
    const answer = await run();
    time += 1500;
    const envelope = toEnvelope(answer, clock());
    expect(isEnvelope(envelope), JSON.stringify(isEnvelope.errors)).to.equal(true);
    expect(envelope).to.deep.equal({
      type: 'sql_endpoint',
      data: {
        columns: [
          { col: 'id', data_type: 'BIGINT', nullable: false },
          { col: 'kind', data_type: 'VARCHAR', nullable: false },
          { col: 'weight', data_type: 'DECIMAL', nullable: true },
          { col: 'score', data_type: 'DOUBLE', nullable: true },
          { col: 'baked_at', data_type: 'DATETIME', nullable: true },
        ],
        rows: [
          { id: '1', kind: 'rye', weight: '1.21', score: '0.13', baked_at: '2024-05-01 06:00:00' },
          { id: '2', kind: 'wheat', weight: '0.80', score: '', baked_at: '2024-05-01 07:30:00' },
        ],
        result: {
          code: 200,
          message: 'Query OK',
          start_ms: 1714694400000,
          end_ms: 1714694400000,
          latency: '0 ms',
          row_count: 2,
          row_affect: 0,
          limit: 2,
          databases: ['toy'],
          data_as_of: '2024-05-02T05:00:00Z',
          computed_at: '2024-05-03T00:00:00Z',
          age_ms: 68401500,
          stale: false,
          truncated: false,
          next_cursor: null,
          notices: ['Flour is counted since May'],
        },
      },
    });
  });

  it('returns native values for a query by name', async () => {
    const raw = { path: {}, query: { oven: 'steel', kinds: "O'Brien", from: '2024-05-03' } };
    expect(toQueryEnvelope(await run(raw))).to.deep.equal({
      params: {
        oven: 'steel',
        sort: 'weight-desc',
        only_rye: false,
        kinds: ["O'Brien"],
        from: '2024-05-03',
        to: '2099-01-01',
        page: 1,
        page_size: 2,
        cursor: null,
      },
      requestedAt: '2024-05-03T00:00:00.000Z',
      finishedAt: '2024-05-03T00:00:00.000Z',
      expiresAt: '2024-05-03T00:00:00.000Z',
      spent: 0,
      sql: engine
        .endpoint('list-loaves')
        .query.texts.find(({ choices }) => choices.sort === 'weight-desc' && !choices.only_rye)?.sql,
      fields: [
        { name: 'id', columnType: 'BIGINT' },
        { name: 'kind', columnType: 'VARCHAR' },
        { name: 'weight', columnType: 'DECIMAL' },
        { name: 'score', columnType: 'DOUBLE' },
        { name: 'baked_at', columnType: 'DATETIME' },
      ],
      data: [{ id: '9007199254740993', kind: "O'Brien", weight: 100000, score: 0, baked_at: null }],
      nextCursor: null,
      dataAsOf: '2024-05-02T05:00:00Z',
      stale: false,
      truncated: false,
      notices: ['Flour is counted since May'],
    });
  });

  it('reports truncation, the reason of an empty answer and an unknown age also for a query by name', async () => {
    const first = toQueryEnvelope(await run({ query: { page_size: '1' } }));
    const none = toQueryEnvelope(await run({ path: { oven: 'clay' } }));
    expect([first.data.length, first.truncated, none.data.length, none.truncated, none.notices]).to.deep.equal([
      1,
      true,
      0,
      false,
      ['Flour is counted since May', 'There is no oven clay'],
    ]);
    const endpoint = await endpointOf(definitionOf('SELECT l.id FROM loaves l', '', ''));
    const bare = createEngine({ endpoints: [endpoint], database, clock, stopwatch });
    const { dataAsOf, stale } = toQueryEnvelope(await bare.run(endpoint, { path: {}, query: {} }));
    expect([dataAsOf, stale]).to.deep.equal([null, true]);
  });

  it('returns the plan of a query', async () => {
    const plan = toPlanEnvelope(
      await engine.explain(engine.endpoint('list-loaves'), { path: { oven: 'x' }, query: {} }),
    );
    expect(plan.fields.map(({ name }) => name)).to.deep.equal(['explain_key', 'explain_value']);
    expect(plan.data).to.have.length(1);
  });

  it('requests one row more than a page has', async () => {
    const first = await run({ query: { page_size: '1' } });
    const last = await run({ query: { page_size: '1', page: '2' } });
    const beyond = await run({ query: { page_size: '1', page: '3' } });
    expect(
      [first, last, beyond].map(({ rows, limit, truncated, nextPage }) => [rows.length, limit, truncated, nextPage]),
    ).to.deep.equal([
      [1, 1, true, 2],
      [1, 1, false, undefined],
      [0, 1, false, undefined],
    ]);
  });

  it('truncates at the row limit, with and without a LIMIT of the author, and reports it', async () => {
    for (const sql of ['SELECT l.id FROM loaves l ORDER BY l.id', 'SELECT l.id FROM loaves l ORDER BY l.id LIMIT 3']) {
      const endpoint = await endpointOf(definitionOf(sql, '', 'limits: { rows: 2 }'));
      const { data } = toEnvelope(
        await createEngine({ endpoints: [endpoint], database, clock, stopwatch }).run(endpoint, {
          path: {},
          query: {},
        }),
      );
      expect([data.rows, data.result.limit, data.result.truncated]).to.deep.equal([
        [{ id: '1' }, { id: '2' }],
        2,
        true,
      ]);
    }
  });

  it('reports an answer of unknown age as stale', async () => {
    const { result } = toEnvelope(await run({ path: {} }, 'count-loaves')).data;
    expect([result.data_as_of, result.age_ms, result.stale]).to.deep.equal([null, null, true]);
  });

  it('reports an answer as stale if its data are so far in the future that the clock must be wrong', async () => {
    const answer = await run({ path: { oven: 'steel' } });
    const at = (now: string) => {
      const { age_ms, stale } = toEnvelope(answer, new Date(now)).data.result;
      return [age_ms, stale];
    };
    expect([at('2024-05-02T04:30:00Z'), at('2024-05-02T03:59:59Z'), at('2014-05-02T05:00:00Z')]).to.deep.equal([
      [0, false],
      [null, true],
      [null, true],
    ]);
  });

  it('explains why an answer has no rows', async () => {
    const { result } = toEnvelope(await run({ path: { oven: 'iron' } })).data;
    expect(result.message).to.equal('Query OK. There is no oven iron');
    expect(result.notices).to.deep.equal(['Flour is counted since May', 'There is no oven iron']);
    const known = toEnvelope(await run({ query: { from: '2090-01-01' } })).data.result;
    expect([known.row_count, known.message]).to.deep.equal([0, 'Query OK']);
  });

  it('queries the age of the data at most once in five seconds', async () => {
    const count = () => database.executed.filter((sql) => sql.startsWith('SELECT MAX(baked_at)')).length;
    await Promise.all([run(), run(), run()]);
    expect(count()).to.equal(1);
    time += 4999;
    await run();
    expect(count()).to.equal(1);
    time += 1;
    await run();
    expect(count()).to.equal(2);
  });

  it('states the sources of a notice, or null if one cannot be read', async () => {
    const answerOf = async (row: string) => {
      const sql = `SELECT ${row}`;
      const notice = `notices:\n  - { when: always, sql: ${JSON.stringify(sql)} }`;
      const endpoint = await endpointOf(definitionOf('SELECT l.id FROM loaves l', '', notice));
      const own = createEngine({
        endpoints: [endpoint],
        database,
        clock,
        stopwatch,
        observe: (event) => events.push(event),
      });
      return own.run(endpoint, { path: {}, query: {} });
    };
    const columns = (type: string, starts: string, share: string) =>
      `'text' AS notice, ${type} AS type, 'till' AS source, NULL AS subject, ${starts} AS starts, NULL AS ends, ${share} AS share`;
    const { notices, sources, isComplete } = await answerOf(columns("'sale'", "'2026-01-31'", '0.25'));
    const entry = {
      type: 'sale',
      source: 'till',
      subject: null,
      starts: '2026-01-31T00:00:00Z',
      ends: null,
      share: 0.25,
    };
    expect([notices, sources, isComplete]).to.deep.equal([['text'], [entry], true]);
    expect((await answerOf(columns('NULL', 'NULL', 'NULL'))).sources).to.deep.equal([]);
    expect((await answerOf("'text' AS notice")).sources).to.equal(undefined);
    for (const [starts, share] of [
      ["'2026-02-30'", '1'],
      ["'June 2026'", '1'],
      ["'2026-01-01 12:30'", '1'],
      ["'2026-01-01T12:00:00+08:00'", '1'],
      ['NULL', "''"],
      ['NULL', '-1'],
      ['NULL', "'0x10'"],
    ] as const) {
      const failed = await answerOf(columns("'sale'", starts, share));
      expect([failed.notices, failed.sources, failed.isComplete], `${starts} ${share}`).to.deep.equal([
        ['Notices for this answer could not be loaded.'],
        null,
        false,
      ]);
    }
    expect(events.filter(({ kind }) => kind === 'metadata_query_failed').length).to.equal(7);
  });

  it('caches notices by their bound parameters for five seconds', async () => {
    const endpoint = await endpointOf(
      definitionOf(
        'SELECT l.id FROM loaves l WHERE l.id > {{ above }} AND l.weight > {{ heavier }}',
        [
          '{ in: query, type: integer, default: 0, description: Least number }',
          '{ in: query, type: integer, default: 0, description: Least weight }',
        ]
          .map((parameter, index) => `  ${['above', 'heavier'][index]}: ${parameter}`)
          .join('\n'),
        `notices:\n  - { when: always, sql: "SELECT CONCAT('Counted above ', {{ above }}) AS notice" }`,
      ),
    );
    const engine = createEngine({ endpoints: [endpoint], database, clock, stopwatch });
    const notices = async (query: Record<string, string>) => (await engine.run(endpoint, { path: {}, query })).notices;
    const count = () => database.executed.filter((sql) => sql.includes('Counted above')).length;
    const queries = [{}, { above: '1' }, { above: '1', heavier: '1' }, { heavier: '2' }];
    const expected = [['Counted above 0'], ['Counted above 1'], ['Counted above 1'], ['Counted above 0']];
    expect([await Promise.all(queries.map(notices)), count()]).to.deep.equal([expected, 2]);
    time += 5000;
    expect([await Promise.all(queries.map(notices)), count()]).to.deep.equal([expected, 4]);
  });

  it('does not run a notice while the table that it needs is empty', async () => {
    const notice = (when: string, needs: string) =>
      `  - { when: ${when}, needs: ${needs}, sql: "SELECT CONCAT(MAX(t.name), ' in ${needs}') AS notice FROM ${needs} t" }`;
    const notices = ['always', 'empty'].flatMap((when) => [notice(when, 'cellars'), notice(when, 'ovens')]);
    const endpoint = await endpointOf(
      definitionOf('SELECT l.id FROM loaves l WHERE l.id < 0', '', `notices:\n${notices.join('\n')}`),
    );
    const before = database.executed.length;
    const { notices: always, emptyNotices } = await createEngine({
      ...{ endpoints: [endpoint], database, clock, stopwatch },
    }).run(endpoint, { path: {}, query: {} });
    expect([always, emptyNotices]).to.deep.equal([['stone in ovens'], ['stone in ovens']]);
    const ran = database.executed.slice(before).filter((sql) => sql.includes(' in '));
    expect(ran.filter((sql) => sql.includes('cellars'))).to.deep.equal([]);
    expect(ran.length).to.equal(2);
  });

  it('answers without the age if its query fails, and reports the failure to the observer', async () => {
    const endpoint = await endpointOf(
      definitionOf('SELECT l.id FROM loaves l', '', 'data_as_of: SELECT MAX(baked) AS t FROM nowhere'),
    );
    const broken = createEngine({
      endpoints: [endpoint],
      database,
      clock,
      stopwatch,
      observe: (event) => event.kind === 'queried' || events.push(event),
    });
    const { result } = toEnvelope(await broken.run(endpoint, { path: {}, query: {} })).data;
    expect([result.row_count, result.stale, result.data_as_of]).to.deep.equal([4, true, null]);
    expect(
      events.map((event) => [event.kind, 'endpoint' in event ? event.endpoint : '', 'key' in event ? event.key : '']),
    ).to.deep.equal([
      ['metadata_query_failed', 'toy', 'data_as_of'],
      ['answered', 'toy', ''],
    ]);
  });

  it('reports the queries of a request, with its id', async () => {
    const queries: EndedQuery[] = [];
    const observe = (event: EngineEvent) => event.kind === 'queried' && queries.push(event);
    const observed = createEngine({ endpoints: engine.endpoints, database, clock, stopwatch, observe });
    const endpoint = observed.endpoint('list-loaves');
    const { parameters, rows } = await observed.run(
      endpoint,
      { path: { oven: 'stone' }, query: {} },
      { requestId: 'one' },
    );
    const times = { waitMs: 'number', ms: 'number' };
    const facts = queries.map((query) => ({ ...query, waitMs: typeof query.waitMs, ms: typeof query.ms }));
    expect(facts.filter((query) => query.requestId === 'one')).to.deep.equal([
      {
        kind: 'queried',
        endpoint: 'list-loaves',
        parameters,
        requestId: 'one',
        rows: rows.length,
        code: undefined,
        ...times,
      },
    ]);
  });

  it('reports every answer and every failure', async () => {
    await run();
    await failure(() => run({ query: { page: 'x' } }));
    expect(events).to.deep.equal([
      {
        kind: 'answered',
        endpoint: 'list-loaves',
        parameters: (await run()).parameters,
        rows: 2,
        truncated: false,
        ms: 0,
        isStored: false,
      },
      {
        kind: 'failed',
        endpoint: 'list-loaves',
        code: 'bad_parameter',
        ms: 0,
        cause: (events[1] as { cause: unknown }).cause,
      },
      events[2],
    ]);
  });

  it('formats errors in the envelope', async () => {
    const error = await failure(() => run({ query: { page: '0', knds: 'rye' } }));
    const envelope = errorEnvelope(error, 400, 'r-1', clock());
    expect(isEnvelope(envelope), JSON.stringify(isEnvelope.errors)).to.equal(true);
    const { columns, rows, result } = envelope.data;
    expect([columns, rows, result.code, result.error, result.request_id]).to.deep.equal([
      [],
      [],
      400,
      'bad_parameter',
      'r-1',
    ]);
    expect(result.errors?.map(({ parameter }) => parameter)).to.deep.equal(['knds', 'page']);
    expect(result.message).to.equal(result.errors?.map(({ message }) => message).join('; '));
  });

  it('hides messages of a driver from callers', async () => {
    const endpoint = await endpointOf(definitionOf('SELECT l.id FROM secrets l'));
    const broken = createEngine({ endpoints: [endpoint], database, clock, stopwatch });
    const error = await failure(() => broken.run(endpoint, { path: {}, query: {} }));
    expect([error.code, error.message]).to.deep.equal([
      'query_failed',
      'The query failed. The log contains the reason under the request id.',
    ]);
    expect(String(error.details.cause)).to.contain('secrets');
  });

  it('rejects columns that the definition does not declare', async () => {
    const endpoint = await endpointOf(definitionOf('SELECT * FROM ovens'));
    const error = await failure(() =>
      createEngine({ endpoints: [endpoint], database, clock, stopwatch }).run(endpoint, { path: {}, query: {} }),
    );
    expect(error.code).to.equal('query_failed');
    expect(String(error.details.cause)).to.equal(
      'Error: the database returned other columns than declared: expected id, got id, name',
    );
  });

  it('passes on errors with a code', async () => {
    const abort = new AbortController();
    abort.abort();
    const error = await failure(() =>
      engine.run(engine.endpoint('count-loaves'), { path: {}, query: {} }, { signal: abort.signal }),
    );
    expect(error.code).to.equal('query_cancelled');
  });

  it('rejects an unknown name', () => {
    expect(() => engine.endpoint('list-loafs'))
      .to.throw(EngineError, 'There is no endpoint named list-loafs (did you mean "list-loaves"?).')
      .with.property('code', 'endpoint_not_found');
  });

  it('serves all endpoints except those with a query that the database cannot express', async () => {
    const strange = await endpointOf(
      definitionOf(
        "SELECT l.id FROM loaves l\nWHERE l.id > 0 {% if a %}AND SOUNDEX(l.kind) = 'x'{% endif %}",
        'a: { in: query, type: boolean, default: true, description: A }',
      ),
    );
    const { endpoints } = await loadEndpoints(BAKERY);
    const own = createEngine({ endpoints: [...endpoints, strange], database, clock, stopwatch });
    expect(own.broken()).to.deep.equal([
      {
        name: 'toy',
        path: undefined,
        access: ['public'],
        file: strange.file,
        problems: [
          {
            file: strange.file,
            line: 9,
            column: 32,
            key: 'sql',
            message: 'toy cannot run this: SOUNDEX is not available (when a = true)',
            got: "WHERE l.id > 0 {% if a %}AND SOUNDEX(l.kind) = 'x'{% endif %}",
          },
        ],
      },
    ]);
    const error = await failure(() => own.run(own.endpoint('toy'), { path: {}, query: {} }));
    expect([error.code, error.message]).to.deep.equal([
      'endpoint_broken',
      'toy is unavailable: its definition has a problem (line 9, sql). Operators find the reason in the log and with `endpoint list`.',
    ]);
    const answer = await own.run(own.endpoint('list-loaves'), { path: { oven: 'stone' }, query: {} });
    expect(answer.rows).to.have.length(2);
  });

  it('finds unknown tables and columns in every variant of a query, and notices when they exist', async () => {
    const choice = 'WHERE {% if a %}l.knd = 1{% else %}l.weight > 1{% endif %}';
    const wrong = await endpointOf(
      definitionOf(
        `SELECT l.id\nFROM loaves l\n${choice}`,
        'a: { in: query, type: boolean, default: false, description: A }',
        'data_as_of: SELECT MAX(l.made_at) AS d FROM loaves l',
      ),
    );
    const late = await endpointOf(definitionOf('SELECT id FROM rolls').replace('name: toy', 'name: rolls'));
    const own = await openToyDatabase();
    const broken = createEngine({ endpoints: [wrong, late], database: own, clock, stopwatch });
    const first = await broken.lookUp({ withinMs: 10_000 });
    const places = first.newlyBroken.flatMap(({ problems }) =>
      problems.map(({ line, column, key, got }) => [line, column, key, got]),
    );
    expect(places).to.deep.equal([
      [11, 21, 'sql', choice],
      [7, 26, 'data_as_of', 'SELECT MAX(l.made_at) AS d FROM loaves l'],
      [6, 18, 'sql', 'SELECT id FROM rolls'],
    ]);
    expect(first.newlyBroken[0]?.problems[0]?.message).to.match(/^the database cannot run this: .*knd/);
    await own.query({ sql: 'CREATE TABLE rolls (id BIGINT)' }, [], { maxRows: 1, timeoutMs: 1000 });
    const second = await broken.lookUp({ withinMs: 10_000 });
    expect([second.newlyBroken, second.repaired, second.remaining]).to.deep.equal([[], ['rolls'], 0]);
    expect(broken.broken().map(({ name }) => name)).to.deep.equal(['toy']);
  });

  it('postpones the look-up while the database is unavailable', async () => {
    const { endpoints } = await loadEndpoints(BAKERY);
    let isUnavailable = true;
    const describe: Database['describe'] = async () => {
      if (isUnavailable) throw new EngineError('database_unavailable', 'unavailable');
      return [{ name: 'n', type: 'BIGINT' }];
    };
    const own = createEngine({ endpoints, database: { ...database, describe }, clock, stopwatch });
    const { newlyBroken, remaining } = await own.lookUp({ withinMs: 10_000 });
    expect([newlyBroken, remaining, own.broken()]).to.deep.equal([[], endpoints.length, []]);
    isUnavailable = false;
    const later = await own.lookUp({ withinMs: 10_000 });
    expect(later.remaining).to.equal(0);
  });

  it('requests one additional row for lists of any length', async () => {
    const { rows } = await run({ query: { kinds: ['rye', 'wheat', 'spelt'], page_size: '10' } });
    expect(rows.map(([id]) => id)).to.deep.equal([1, 2]);
    expect(database.executed.filter((sql) => sql.includes('IN ($2, $3, $4)'))).to.have.length(1);
  });

  it('sends no query for an invalid request', async () => {
    await failure(() => run({ query: { page: '0' } }));
    expect(database.executed).to.deep.equal([]);
  });

  it('stops the query of a notice when its client disconnects', async () => {
    const endpoint = await endpointOf(
      definitionOf(
        'SELECT id FROM ovens WHERE id = 9',
        '',
        'notices: [{ when: empty, sql: "SELECT name AS notice FROM ovens" }]',
      ),
    );
    const caller = new AbortController();
    const query: Database['query'] = (prepared, values, options) => {
      if (prepared.sql.includes('notice')) caller.abort();
      return database.query(prepared, values, options);
    };
    const own = createEngine({ endpoints: [endpoint], database: { ...database, query }, clock, stopwatch });
    const raw = { path: {}, query: {} };
    expect(toEnvelope(await own.run(endpoint, raw), clock()).data.result.notices).to.deep.equal(['stone', 'steel']);
    const error = await own.run(endpoint, raw, { signal: caller.signal }).catch((reason: EngineError) => reason);
    expect(error).to.include({ code: 'query_cancelled' });
  });
});

async function failure(work: () => Promise<unknown>): Promise<EngineError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('the work did not fail');
}
