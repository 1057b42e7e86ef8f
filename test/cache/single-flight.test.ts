import { expect } from 'chai';
import type { ServedAnswer } from '../../engine/http/cache/stored-answer.js';
import { EngineError } from '../../engine/index.js';
import { definitionOf } from '../engine/fixtures.js';
import { eventually } from '../services/eventually.js';
import { type GatedCache, openGatedCache } from './gated-cache.js';

const LOAVES = 'SELECT l.id AS id FROM loaves l ORDER BY l.id';

describe('requests for the same answer at the same time', () => {
  let gated: GatedCache;
  const open = async (more = '', sql = LOAVES) => {
    gated = await openGatedCache(definitionOf(sql, '', more));
    gated.shut();
    return gated;
  };
  afterEach(() => gated.close());
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => 'answered',
      (error: EngineError) => error.code,
    );

  it('share one query, and each is reported to the observer', async () => {
    const { ask, open: openGate, queries, events, cache } = await open();
    const answers = Array.from({ length: 1_000 }, () => ask());
    await eventually(() => queries() === 1);
    openGate();
    const served = await Promise.all(answers);
    expect(queries()).to.equal(1);
    expect(new Set(served.map(({ answer }) => answer.body)).size).to.equal(1);
    const outcomes = served.map(({ outcome }) => outcome);
    expect(outcomes[0]).to.deep.equal({ kind: 'miss', isCollapsed: false, isStored: true });
    expect(outcomes.slice(1)).to.deep.equal(
      Array.from({ length: 999 }, () => ({ kind: 'miss', isCollapsed: true, isStored: true })),
    );
    expect(events.filter(({ kind }) => kind === 'answered')).to.have.length(1_000);
    expect(cache.counts()).to.include({ misses: 1_000, collapsed: 999, entries: 1 });
  });

  it('share the next query if the first one began before them and its answer is not exact', async () => {
    const {
      ask,
      open: openGate,
      queries,
      events,
    } = await open('data_as_of: SELECT CAST(l.kind AS SIGNED) AS t FROM loaves l LIMIT 1');
    const first = ask();
    await eventually(() => queries() > 0);
    const answers = Array.from({ length: 20 }, () => ask());
    openGate();
    await Promise.all([first, ...answers]);
    expect(events.filter((event) => event.kind === 'answered' && !event.isStored)).to.have.length(2);
  });

  it('continue if a client disconnects, also the first one, and stop if all disconnect', async () => {
    const { ask, open: openGate, queries, aborted } = await open();
    const clients = [1, 2, 3].map(() => new AbortController());
    const answers = clients.map(({ signal }) => failure(ask({}, { signal })));
    await eventually(() => queries() === 1);
    clients[0]?.abort();
    clients[1]?.abort();
    openGate();
    expect(await Promise.all(answers)).to.deep.equal(['query_cancelled', 'query_cancelled', 'answered']);
    expect([queries(), aborted()]).to.deep.equal([1, 0]);

    gated.versions.change('loaves');
    gated.shut();
    const others = [1, 2].map(() => new AbortController());
    const cancelled = others.map(({ signal }) => failure(ask({}, { signal })));
    await eventually(() => queries() === 2);
    for (const client of others) client.abort();
    expect(await Promise.all(cancelled)).to.deep.equal(['query_cancelled', 'query_cancelled']);
    expect(aborted()).to.equal(1);
    gated.open();
    expect(await failure(ask())).to.equal('answered');
  });

  it('wait no longer than the time limit of the definition', async () => {
    const { ask } = await open('limits: { timeout: 10ms }');
    const answers = await Promise.all([1, 2, 3].map(() => failure(ask())));
    // On a busy machine, the time can be over before the query begins.
    for (const answer of answers) expect(answer).to.be.oneOf(['query_timeout', 'overloaded']);
  });

  it('get an answer that is not older than the newest version when they arrived', async () => {
    const { ask, versions, queries, open: openGate } = await open();
    openGate();
    const release = versions.hold();
    const first = ask();
    // At this point, the query of the first request has run, but its versions were read before the commit.
    await eventually(() => versions.waiting === 1);
    versions.change('loaves');
    const second = ask();
    release();
    const versionsOf = (await Promise.all([first, second])).map(({ answer }) => answer.version);
    expect([versionsOf, queries()]).to.deep.equal([['1.a', '2.a'], 2]);
  });

  it('do not share a query of a definition whose answers cannot be stored', async () => {
    const {
      ask,
      queries,
      open: openGate,
      cache,
    } = await open('', 'SELECT l.id AS id FROM loaves l WHERE l.baked_at < {{ now }}');
    const answers = [ask(), ask(), ask()];
    openGate();
    const outcomes = (await Promise.all(answers)).map(({ outcome }) => outcome.kind);
    expect(outcomes).to.deep.equal(['bypass', 'bypass', 'bypass']);
    expect([queries(), cache.counts().entries]).to.deep.equal([3, 0]);
  });
});

describe('stored answers', () => {
  let gated: GatedCache;
  afterEach(() => gated.close());
  const openWith = async (more: string, sql = LOAVES, params = '') => {
    gated = await openGatedCache(definitionOf(sql, params, more));
    return gated;
  };
  const kindOf = async (work: Promise<{ outcome: { kind: string } }>) => (await work).outcome.kind;

  it('are found by their target only while they are exact', async () => {
    const { ask, cache, versions } = await openWith('');
    expect(cache.find('/toy')).to.equal(undefined);
    const { answer } = await ask();
    expect(cache.find('/toy')).to.deep.include({ answer, outcome: { kind: 'hit', level: 1 } });
    versions.change('ovens');
    expect(cache.find('/toy')?.answer).to.equal(answer);
    versions.change('loaves');
    expect(cache.find('/toy')).to.equal(undefined);
  });

  it('end with the day if the query uses the day', async () => {
    const { ask, advance, cache } = await openWith('', 'SELECT l.id AS id FROM loaves l WHERE l.day < {{ today }}');
    await ask();
    expect(cache.find('/toy')).to.not.equal(undefined);
    advance(86_400_000);
    expect(cache.find('/toy')).to.equal(undefined);
  });

  it('of the previous version are served until the time of the definition ends', async () => {
    const { ask, versions, advance, shut, open, events } = await openWith('serve_stale: 30s');
    await ask();
    shut();
    versions.change('loaves');
    expect(await kindOf(ask())).to.equal('stale');
    advance(29_000);
    expect(await kindOf(ask())).to.equal('stale');
    advance(2_000);
    const waiting = kindOf(ask());
    open();
    expect(await waiting).to.equal('miss');
    // These are two stale answers and two computed answers. The computation in the background answers no request.
    expect(events.filter(({ kind }) => kind === 'answered')).to.have.length(4);
  });

  it('are computed again in the background after a commit if they were used', async () => {
    const { ask, versions, cache, queries, events } = await openWith('', LOAVES);
    await ask();
    await ask();
    versions.change('loaves');
    await eventually(() => cache.counts().recomputed === 1);
    expect(await kindOf(ask())).to.equal('hit');
    expect(queries()).to.equal(2);
    expect(events.filter(({ kind }) => kind === 'answered')).to.have.length(3);
  });

  it('of tables without versions are kept for the time of the definition, which /q states', async () => {
    const { ask, versions, advance, cache } = await openWith('cache: { ttl: 60s }');
    versions.remove('loaves');
    const { answer, outcome } = await ask();
    const { requestedAt, expiresAt } = JSON.parse(answer.body.toString()) as Record<string, string>;
    expect(Date.parse(expiresAt ?? '') - Date.parse(requestedAt ?? '')).to.equal(60_000);
    expect(outcome).to.deep.equal({ kind: 'miss', isCollapsed: false, isStored: true });
    advance(45_000);
    expect(cache.find('/toy')?.answer).to.equal(answer);
    advance(15_000);
    expect(cache.find('/toy')).to.equal(undefined);
    expect(await kindOf(ask())).to.equal('miss');
  });

  it('of tables without versions state after this time that later changes can be missing, not that the data have changed', async () => {
    const { ask, versions, advance, shut, open, cache } = await openWith('cache: { ttl: 60s }\nserve_stale: 30s');
    versions.remove('loaves');
    const resultOf = ({ answer }: ServedAnswer) => {
      const { stale, notices } = JSON.parse(answer.body.toString()) as { stale: boolean; notices: string[] };
      return { stale, notices };
    };
    const age =
      'The age of the data is unknown, because other programs write the tables. ' +
      'An answer is used for at most 90 s, so later changes can be missing.';
    expect(resultOf(await ask())).to.deep.equal({ stale: false, notices: [age] });
    shut();
    advance(61_000);
    const ended =
      'The lifetime of this answer has ended, so later changes of the data can be missing. ' +
      'The service is computing the new answer.';
    expect(resultOf(await ask())).to.deep.equal({ stale: true, notices: [age, ended] });
    open();
    // The database must not be closed while the query in the background runs.
    await eventually(() => cache.find('/toy') !== undefined);
  });

  it('end if the clock is set back before their computation', async () => {
    const { ask, versions, advance, cache } = await openWith('cache: { ttl: 60s }');
    versions.remove('loaves');
    await ask();
    advance(-3_600_000);
    expect(cache.find('/toy')).to.equal(undefined);
    expect(await kindOf(ask())).to.equal('miss');
  });

  it('are not exact for no-cache if the versions cannot be read, also after an earlier failure', async () => {
    const { ask, versions } = await openWith('');
    versions.poll();
    await ask();
    versions.change('loaves');
    expect(await kindOf(ask())).to.equal('hit');
    versions.isUnavailable = true;
    expect(await kindOf(ask({}, { isNewestRequired: true }))).to.equal('stale');
    versions.isUnavailable = false;
    const { answer, outcome } = await ask({}, { isNewestRequired: true });
    expect([outcome.kind, answer.version]).to.deep.equal(['miss', '2.a']);
  });

  it('are only complete ones: an answer without its times is not stored', async () => {
    const { ask, cache } = await openWith('data_as_of: SELECT CAST(l.kind AS SIGNED) AS t FROM loaves l LIMIT 1');
    const outcomes = [(await ask()).outcome, (await ask()).outcome];
    const miss = { kind: 'miss', isCollapsed: false, isStored: false };
    expect([outcomes, cache.counts().entries]).to.deep.equal([[miss, miss], 0]);
  });

  it('do not replace the errors of callers, and errors are not stored', async () => {
    const { ask } = await openWith(
      '',
      'SELECT l.id AS id FROM loaves l WHERE l.id = {{ id }}',
      'id: { in: query, type: integer, required: true, description: Number }',
    );
    for (let time = 0; time < 2; time += 1) {
      const error = await ask({ id: 'x' }).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(EngineError).with.property('code', 'bad_parameter');
    }
  });
});
