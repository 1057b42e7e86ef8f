import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { type DuckDBConnection, DuckDBInstance, type DuckDBPreparedStatement } from '@duckdb/node-api';
import { expect } from 'chai';
import { MemoryWatch } from '../../../databases/duckdb/memory-watch.js';

describe('the watch over what queries hold', () => {
  it('looks as often after many queries, one right after the other, as with one', async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    let looks = 0;
    const watch = await MemoryWatch.open(
      onRun(connection, () => looks++),
      0.25,
    );
    for (let query = 0; query < 50; query++) await watch.during(() => turn());
    looks = 0;
    const started = performance.now();
    await watch.during(() => pause(500));
    const most = (performance.now() - started) / 20 + 2;
    await watch.close();
    instance.closeSync();
    // Every 20 ms, and once before.
    expect(looks).to.be.within(2, most);
  });
});

/** The connection, of whose prepared statement each run is heard. */
function onRun(connection: DuckDBConnection, heard: () => void): DuckDBConnection {
  const { prepare } = connection;
  return Object.assign(connection, {
    prepare: async (sql: string): Promise<DuckDBPreparedStatement> => {
      const statement = await prepare.call(connection, sql);
      const { runAndReadAll } = statement;
      return Object.assign(statement, {
        runAndReadAll: () => {
          heard();
          return runAndReadAll.call(statement);
        },
      });
    },
  });
}
