import { expect } from 'chai';
import { createEngine, type Endpoint, type Engine, type EngineEvent, loadEndpoints } from '../../../engine/index.js';
import { BAKERY, definitionOf, endpointOf } from '../fixtures.js';
import { openToyDatabase, type ToyDatabase } from '../toy-database.js';
import { ToyVersions } from './toy-versions.js';

const stopwatch = () => 0;

describe('the identity of a request', () => {
  let database: ToyDatabase;
  let time: number;
  const clock = () => new Date(time);

  before(async () => {
    database = await openToyDatabase();
  });
  after(() => database.close());
  beforeEach(() => {
    time = Date.parse('2024-05-03T10:59:59Z');
  });

  const engineOf = (endpoints: readonly Endpoint[], parts: object = { clock }): Engine =>
    createEngine({ endpoints, database, stopwatch, ...parts });
  const keysOf = (engine: Engine, endpoint: Endpoint, queries: readonly object[]) =>
    queries.map((query) => engine.identify(endpoint, { path: { oven: 'stone' }, query: { ...query } }).key);

  it('has one key for equal typed parameters, and another key for any other value', async () => {
    const { endpoints } = await loadEndpoints(BAKERY);
    const engine = engineOf(endpoints);
    const loaves = engine.endpoint('list-loaves');
    const equal = [{}, { page: '1' }, { kinds: 'rye,wheat' }, { kinds: ['rye', 'wheat'], sort: 'weight-desc' }];
    expect(new Set(keysOf(engine, loaves, equal)).size).to.equal(1);
    const different = [
      {},
      { page: '2' },
      { page_size: '3' },
      { kinds: 'wheat,rye' },
      { kinds: 'rye' },
      { kinds: 'rye","wheat' },
      { only_rye: 'true' },
      { sort: 'kind' },
      { from: '2024-01-01' },
      { to: '2024-01-01' },
    ];
    expect(new Set(keysOf(engine, loaves, different)).size).to.equal(different.length);
    // The names differ only in case, which the SQL ignores, but the answer at /q contains them.
    const ofOven = (oven: string) => engine.identify(loaves, { path: { oven }, query: {} });
    expect(ofOven('STONE').key).to.not.equal(ofOven('stone').key);
    expect(ofOven('stone').parameters).to.include({ oven: 'stone', page: 1, only_rye: false });
    expect(() => engine.identify(loaves, { path: {}, query: {} }))
      .to.throw()
      .with.property('code', 'bad_parameter');
  });

  it('has a key per definition, database and engine settings', async () => {
    const one = await endpointOf(definitionOf('SELECT l.id FROM loaves l'));
    const other = await endpointOf(definitionOf('SELECT l.id FROM loaves l', '', 'serve_stale: 1s'));
    const request = { path: {}, query: {} };
    const keys = [
      engineOf([one]).identify(one, request).key,
      engineOf([other]).identify(other, request).key,
      engineOf([one], { clock, database: { ...database, name: 'other' } }).identify(one, request).key,
      engineOf([one], { clock, staleAfterMs: 1000 }).identify(one, request).key,
      engineOf([one], {}).identify(one, request).key,
    ];
    expect(new Set(keys).size).to.equal(keys.length);
    expect(engineOf([one]).identify(one, request).key).to.equal(keys[0]);
  });

  it('changes with the part of the clock that the queries use', async () => {
    const answers: unknown[] = [];
    for (const value of ["'2024-05-03'", '{{ today }}', '{{ hour }}', '{{ now }}']) {
      const endpoint = await endpointOf(definitionOf(`SELECT l.id FROM loaves l WHERE l.baked_at < ${value}`));
      const engine = engineOf([endpoint]);
      const keys = ['10:59:59.000', '10:59:59.999', '11:00:00.000', '23:59:59.999', '24:00:00.000'].map((text) => {
        time = Date.parse(`2024-05-03T${text}Z`);
        return engine.identify(endpoint, { path: {}, query: {} }).key;
      });
      answers.push(keys.map((key) => keys.indexOf(key)));
    }
    expect(answers).to.deep.equal([
      [0, 0, 0, 0, 0],
      [0, 0, 0, 0, 4],
      [0, 0, 2, 3, 4],
      [0, 0, 2, 3, 4],
    ]);
  });

  it('is valid until the part of the clock ends, and without end if the clock is fixed or not used', async () => {
    const lengths: unknown[] = [];
    for (const value of ["'2024-05-03'", '{{ today }}', '{{ hour }}', '{{ now }}']) {
      const endpoint = await endpointOf(definitionOf(`SELECT l.id FROM loaves l WHERE l.baked_at < ${value}`));
      const request = { path: {}, query: {} };
      expect(engineOf([endpoint]).identify(endpoint, request).validUntil).to.equal(Number.POSITIVE_INFINITY);
      const { validUntil } = engineOf([endpoint], { systemClock: clock }).identify(endpoint, request);
      lengths.push(Number.isFinite(validUntil) ? new Date(validUntil).toISOString().slice(0, 19) : validUntil);
    }
    expect(lengths).to.deep.equal([
      Number.POSITIVE_INFINITY,
      '2024-05-04T00:00:00',
      '2024-05-03T11:00:00',
      '2024-05-03T11:00:00',
    ]);
  });

  it('binds the start of the hour for {{ hour }}', async () => {
    const endpoint = await endpointOf(
      definitionOf('SELECT l.id FROM loaves l WHERE l.baked_at < {{ hour }} OR l.kind = {{ hour | append: "Z" }}'),
    );
    const { sql, values } = endpoint.query.compile({}, clock());
    expect(values).to.deep.equal(['2024-05-03 10:00:00', '2024-05-03 10:00:00Z']);
    expect(sql).to.contain('l.baked_at < CAST(:p1 AS DATETIME) OR l.kind = :p2');
  });

  it('is also the key of the answer, unless the clock advanced in between', async () => {
    const endpoint = await endpointOf(definitionOf('SELECT l.id FROM loaves l WHERE l.baked_at < {{ hour }}'));
    const engine = engineOf([endpoint]);
    const request = { path: {}, query: {} };
    const { key } = engine.identify(endpoint, request);
    const same = await engine.run(endpoint, request);
    time += 1000;
    const later = await engine.run(endpoint, request);
    expect([same.key === key, later.key === key]).to.deep.equal([true, false]);
    expect(later.key).to.equal(engine.identify(endpoint, request).key);
  });
});

describe('the cache rule of an endpoint', () => {
  const ruleOf = async (sql: string, more = '', versions?: ToyVersions) => {
    const database = await openToyDatabase();
    const endpoint = await endpointOf(definitionOf(sql, '', more));
    const engine = createEngine({ endpoints: [endpoint], database, stopwatch, ...(versions && { versions }) });
    await database.close();
    return engine.cacheRule(endpoint);
  };
  const JOIN = 'SELECT l.id FROM loaves l JOIN ovens o ON o.id = l.oven_id';
  const both = () => new ToyVersions('loaves', 'ovens', 'sold');

  it('is exact if all tables have versions', async () => {
    const tables = new Set(['loaves', 'ovens']);
    expect(await ruleOf(JOIN, '', both())).to.deep.equal({ kind: 'exact', tables });
    expect(await ruleOf(JOIN, 'cache: { ttl: 60s }', both())).to.deep.equal({ kind: 'exact', tables });
    expect(await ruleOf('SELECT 1 AS id', '', both())).to.deep.equal({ kind: 'exact', tables: new Set() });
  });

  it('needs cache.ttl for tables without versions', async () => {
    const versions = new ToyVersions('loaves');
    expect(await ruleOf(JOIN, 'cache: { ttl: 60s }', versions)).to.deep.equal({
      kind: 'timed',
      ttlMs: 60_000,
      tables: new Set(['loaves']),
    });
    expect(await ruleOf(`${JOIN} JOIN mine m ON m.id = l.id`, '', versions)).to.deep.equal({
      kind: 'never',
      reason: 'other programs can write mine, ovens; declare how long an answer is valid: cache.ttl',
    });
    expect(await ruleOf(JOIN)).to.deep.equal({ kind: 'never', reason: 'the versions of the tables are unknown' });
    expect(await ruleOf(JOIN, 'cache: { ttl: 1m }')).to.deep.equal({ kind: 'timed', ttlMs: 60_000, tables: new Set() });
  });

  it('is never for a definition that uses the second', async () => {
    const reason = 'it uses the second of {{ now }}; use {{ hour }} or {{ today }}';
    for (const more of ['', 'cache: { ttl: 60s }']) {
      const rule = await ruleOf('SELECT l.id FROM loaves l WHERE l.baked_at < {{ now }}', more, both());
      expect(rule).to.deep.equal({ kind: 'never', reason });
    }
  });

  it('follows the tables that have versions', async () => {
    const database = await openToyDatabase();
    const endpoint = await endpointOf(definitionOf(JOIN));
    const versions = new ToyVersions('loaves');
    const engine = createEngine({ endpoints: [endpoint], database, stopwatch, versions });
    await database.close();
    const before = engine.cacheRule(endpoint);
    versions.change('ovens');
    const after = engine.cacheRule(endpoint);
    versions.change('ovens');
    expect([before.kind, after.kind, engine.cacheRule(endpoint).kind]).to.deep.equal(['never', 'exact', 'exact']);
  });

  it('counts a stored answer like other answers', async () => {
    const database = await openToyDatabase();
    const endpoint = await endpointOf(definitionOf('SELECT 1 AS id'));
    const events: EngineEvent[] = [];
    const observe = (event: EngineEvent) => event.kind === 'queried' || events.push(event);
    createEngine({ endpoints: [endpoint], database, stopwatch, observe }).reportStored(endpoint, { oven: 'stone' });
    await database.close();
    expect(events).to.deep.equal([
      {
        kind: 'answered',
        endpoint: 'toy',
        parameters: { oven: 'stone' },
        rows: 0,
        truncated: false,
        ms: 0,
        isStored: true,
      },
    ]);
  });
});
