import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { useMysql } from '../../services/mysql.js';
import { SERVER } from '../../services/server.js';
import { type ArchiveServer, archiveServer } from '../archive-server.js';
import {
  type MakeWarehouse,
  onEveryDatabase,
  reopened,
  serverWarehouse,
  type TestWarehouse,
} from '../test-warehouse.js';
import { archiveFiles, cleanImport, type Faults, pathOf, reportOf, startFollowerProcess } from './following.js';

const HOURS = [6, 7, 8, 9];
const FAULTS: Faults = {
  [pathOf(6)]: ['half', 'cut'],
  [pathOf(7)]: ['late', 'stall'],
  [pathOf(9)]: ['late', 'late', 'half'],
};
/** The number of processes that are killed before one completes. `FOLLOW_KILLS=100` runs a long test. */
const KILLS = Number(process.env.FOLLOW_KILLS ?? 2);
/** A process writes about this many lines when it imports all hours. */
const LINES = 40;

/** Runs processes that are killed after a random number of lines, then one to its end. Returns all rows. */
async function killAndComplete(make: MakeWarehouse) {
  const created = await make();
  await created.leave();
  let server: ArchiveServer | undefined;
  let warehouse: TestWarehouse | undefined;
  const killedAt: number[] = [];
  try {
    server = await archiveServer(archiveFiles(HOURS), FAULTS);
    for (let kill = 0; kill < KILLS; kill++) {
      const process = startFollowerProcess(created, server.url);
      const atLine = 1 + Math.floor(Math.random() * LINES);
      let lines = 0;
      for await (const _ of process.lines) if (++lines === atLine) process.child.kill('SIGKILL');
      killedAt.push(lines);
      await process.ended;
    }
    await reportOf(startFollowerProcess(created, server.url));
  } finally {
    await server?.close();
    warehouse = await reopened(created.folder, created.url);
  }
  const rows = await warehouse.everything();
  const downloads = await readdir(join(created.folder, 'downloads'));
  await warehouse.close();
  return { rows, killedAt, downloads };
}

onEveryDatabase('a follower that is killed at any moment', (make) => {
  it('continues, and every event is stored exactly once', async () => {
    const { rows, killedAt, downloads } = await killAndComplete(make);
    expect(downloads).to.deep.equal([]);
    expect(rows, `killed after ${killedAt} lines`).to.deep.equal(await cleanImport(make, HOURS));
  });
});

describe(`two followers at once, on ${SERVER}`, () => {
  const server = useMysql();
  const make = () => serverWarehouse(server.url);
  let warehouse: TestWarehouse;
  let archive: ArchiveServer;

  beforeEach(async () => {
    [warehouse, archive] = [await make(), await archiveServer(archiveFiles(HOURS), FAULTS)];
  });
  afterEach(() => Promise.all([archive.close(), warehouse.close()]));

  it('import each hour in one of the processes', async () => {
    const reports = await Promise.all([1, 2].map(() => reportOf(startFollowerProcess(warehouse, archive.url))));
    const imported = reports.flatMap(({ events }) =>
      events.flatMap((one) => (one.kind === 'imported' ? [one.hour] : [])),
    );
    expect(imported.sort()).to.deep.equal(HOURS.map((hour) => `2015-01-01-${hour}`));
    expect(await warehouse.everything()).to.deep.equal(await cleanImport(make, HOURS));
  });

  it('download each hour in one of the processes', async () => {
    const calm = await archiveServer(archiveFiles(HOURS));
    try {
      const reports = await Promise.all([1, 2].map(() => reportOf(startFollowerProcess(warehouse, calm.url))));
      expect(reports.map(({ importedHours }) => importedHours).reduce((a, b) => a + b)).to.equal(HOURS.length);
      expect([...calm.requests].sort()).to.deep.equal(HOURS.map((hour) => `GET ${pathOf(hour)}`));
    } finally {
      await calm.close();
    }
  });

  it('are one follower after the other is killed during its import', async () => {
    const first = startFollowerProcess(warehouse, archive.url);
    let second: Promise<{ readonly importedHours: number }> | undefined;
    for await (const _ of first.lines) {
      // The first line is the first step of an import, so the first process has the lock of imports.
      second ??= reportOf(startFollowerProcess(warehouse, archive.url));
      first.child.kill('SIGKILL');
    }
    expect(await first.ended).to.equal('SIGKILL');
    expect((await second)?.importedHours).to.be.above(0);
    expect(await warehouse.everything()).to.deep.equal(await cleanImport(make, HOURS));
  });
});
