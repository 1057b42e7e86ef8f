import { expect } from 'chai';
import { findWrongAge } from '../../bench/serving/outages/check-age.js';

const RECEIVED = Date.parse('2026-03-01T12:00:00Z');
const RUNNING = { stoppedAt: undefined, isChanging: false };
const STOPPED = { stoppedAt: RECEIVED - 30_000, isChanging: false };

/** A fresh answer whose data are an hour old and were confirmed half a second ago. */
const FRESH = { age: '0', confirmed: '2026-03-01T11:59:59.500Z', ageMs: 3_600_000, stale: false };
/** An answer of a database that stopped 30 s ago. */
const OLD = { age: '31', confirmed: '2026-03-01T11:59:29Z', ageMs: 3_600_000, stale: true };

describe('the check of ages in the outages benchmark', () => {
  it('accepts fresh answers of a running database and stale answers of a stopped one', () => {
    expect(check(FRESH, RUNNING)).to.equal(undefined);
    expect(check(OLD, STOPPED)).to.equal(undefined);
  });

  it('accepts the age at the time of the query in an answer that is not stale', () => {
    expect(check({ ...FRESH, ageMs: 3_000_000 }, RUNNING)).to.equal(undefined);
  });

  it('finds a stale answer whose age is the age at the time of the query', () => {
    expect(check({ ...OLD, ageMs: 3_000_000 }, STOPPED)).to.equal(
      'stale with age_ms 3000000, but the data are 3600000 ms old',
    );
  });

  it('finds an age that is larger than the age of the data, and an unknown age', () => {
    expect(check({ ...FRESH, ageMs: 3_700_000 }, RUNNING)).to.equal('age_ms 3700000, but the data are 3600000 ms old');
    expect(check({ ...FRESH, ageMs: null }, RUNNING)).to.include('no age');
  });

  it('finds an Age that is not the time since the confirmation', () => {
    expect(check({ ...OLD, age: '0' }, STOPPED)).to.equal('Age 0, confirmed at 2026-03-01T11:59:29Z');
  });

  it('finds an answer that is not stale although it was confirmed long ago', () => {
    expect(check({ ...OLD, stale: false }, { ...STOPPED, isChanging: true })).to.equal(
      'not stale, but confirmed at 2026-03-01T11:59:29Z',
    );
  });

  it('finds a confirmation by a stopped database', () => {
    expect(check({ ...FRESH, stale: true }, STOPPED)).to.equal(
      'confirmed at 2026-03-01T11:59:59.500Z by a database that stopped at 2026-03-01T11:59:30.000Z',
    );
  });

  it('finds stale answers of a running database and fresh answers of a stopped one, except during a change', () => {
    expect(check(OLD, RUNNING)).to.equal('stale is true');
    expect(check(OLD, { ...RUNNING, isChanging: true })).to.equal(undefined);
    const { age, confirmed, ...uncached } = FRESH;
    expect(check(uncached, STOPPED)).to.equal('stale is false');
  });
});

interface StatedAge {
  readonly age?: string;
  readonly confirmed?: string;
  readonly ageMs: number | null;
  readonly stale: boolean;
}

function check({ age, confirmed, ageMs, stale }: StatedAge, state: Parameters<typeof findWrongAge>[2]) {
  const headers = [
    ...(age === undefined ? [] : [`Age: ${age}`]),
    ...(confirmed === undefined ? [] : [`X-Data-Confirmed: ${confirmed}`]),
  ];
  const result = { data_as_of: '2026-03-01T11:00:00Z', age_ms: ageMs, stale };
  const body = Buffer.from(JSON.stringify({ data: { result } }));
  return findWrongAge({ status: 200, head: ['HTTP/1.1 200 OK', ...headers].join('\r\n'), body }, RECEIVED, state);
}
