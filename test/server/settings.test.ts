import { expect } from 'chai';
import { readSettings } from '../../server/settings.js';

describe('settings', () => {
  const wrong: readonly (readonly [string, string, string])[] = [
    ['DATABASE_URL', 'mysql://root@127.0.0.1:3306/x', 'duckdb:<file>, such as duckdb:data/events.duckdb'],
    ['DATABASE_URL', 'nonsense', 'duckdb:<file>, such as duckdb:data/events.duckdb'],
    ['DATABASE_URL', 'duckdb:', 'duckdb:<file>, such as duckdb:data/events.duckdb'],
    ['DATABASE_URL', 'duckdb::memory:', 'duckdb:<file>, such as duckdb:data/events.duckdb'],
    ['NOW', '2016-02-30', 'an ISO time with its zone, such as 2016-01-01T07:00:00Z'],
    ['NOW', '2016-02-30T07:00:00Z', 'an ISO time with its zone, such as 2016-01-01T07:00:00Z'],
  ];
  for (const [name, value, expected] of wrong) {
    it(`refuse ${name}=${value}`, () => {
      expect(() => readSettings({ [name]: value })).to.throw(
        `Wrong settings:\n  ${name}: expected ${expected}, got ${JSON.stringify(value)}`,
      );
    });
  }

  it('take a day, or a time in any zone, for NOW', () => {
    const { now } = readSettings({ NOW: '2016-02-29' });
    const { now: eastern } = readSettings({ NOW: '2016-03-01T01:30:00+05:30' });
    expect([now, eastern]).to.deep.equal(['2016-02-29T00:00:00.000Z', '2016-02-29T20:00:00.000Z']);
  });
});
