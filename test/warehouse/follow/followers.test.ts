import { expect } from 'chai';
import { eventually } from '../../services/eventually.js';
import { useMysql } from '../../services/mysql.js';
import { describeEmbedded, SERVER } from '../../services/server.js';
import { type ArchiveServer, archiveServer } from '../archive-server.js';
import { IMPORT_STEPS, REACHED } from '../store-steps.js';
import { reopened, serverWarehouse, type TestWarehouse, testWarehouse } from '../test-warehouse.js';
import {
  archiveFiles,
  cleanImport,
  type Faults,
  hourOf,
  killAndComplete,
  killAt,
  pathOf,
  startFollower,
  startFollowerProcess,
} from './following.js';

const HOURS = [6, 7, 8, 9];
const FAULTS: Faults = {
  [pathOf(6)]: ['half', 'cut'],
  [pathOf(7)]: ['late'],
  [pathOf(9)]: ['late', 'late', 'half'],
};

describeEmbedded('a follower that is killed', () => {
  it('continues, and every event is stored exactly once', async () => {
    const kills = [killAt({ step: IMPORT_STEPS.beforeLedger }), killAt({ step: IMPORT_STEPS.afterCommit })];
    const { rows, downloads } = await killAndComplete(testWarehouse, { hours: HOURS, faults: FAULTS, kills });
    expect(downloads).to.deep.equal([]);
    expect(rows).to.deep.equal(await cleanImport(testWarehouse, HOURS));
  });
});

describe(`two followers at once, on ${SERVER}`, () => {
  const server = useMysql();
  const make = () => serverWarehouse(server.url);
  /** Two stores of the same database with separate connections, as in two processes. */
  let warehouses: readonly [TestWarehouse, TestWarehouse];
  let archive: ArchiveServer;

  beforeEach(async () => {
    const warehouse = await make();
    warehouses = [warehouse, await reopened(warehouse.folder, warehouse.url)];
  });
  afterEach(async () => {
    await archive.close();
    await warehouses[1].leave();
    await warehouses[0].close();
  });
  const start = (warehouse: TestWarehouse) => startFollower(warehouse, archive.url, { from: hourOf(6) });
  const complete = async (followers: readonly ReturnType<typeof start>[]) => {
    await eventually(() => followers.every(({ progress }) => progress().missingHours === 0));
    return Promise.all(followers.map(({ stop }) => stop()));
  };

  it('download and import each hour in one of them, also after faults', async () => {
    archive = await archiveServer(archiveFiles(HOURS), FAULTS);
    const followers = warehouses.map(start);
    const reports = await complete(followers);
    expect(reports.map(({ importedHours }) => importedHours).reduce((a, b) => a + b)).to.equal(HOURS.length);
    const imported = followers.flatMap(({ events }) =>
      events.flatMap((one) => (one.kind === 'imported' ? [one.hour] : [])),
    );
    expect(imported.sort()).to.deep.equal(HOURS.map((hour) => `2015-01-01-${hour}`));
    // One request for each fault, and one for the file.
    for (const path of HOURS.map(pathOf)) {
      const requests = archive.requests.filter((request) => request.startsWith(`GET ${path}`));
      expect(requests, path).to.have.length(1 + (FAULTS[path] ?? []).length);
    }
    expect(await warehouses[0].everything()).to.deep.equal(await cleanImport(make, HOURS));
  });

  it('are one follower after the other process is killed during its import', async () => {
    archive = await archiveServer(archiveFiles(HOURS), FAULTS);
    const first = startFollowerProcess(warehouses[0], archive.url, { step: IMPORT_STEPS.beforeLedger });
    let second: ReturnType<typeof start> | undefined;
    for await (const line of first.lines) {
      if (line !== REACHED) continue;
      // The process holds the locks of imports and of transactions, so the other follower must wait for it.
      second = start(warehouses[1]);
      first.child.kill('SIGKILL');
    }
    expect(await first.ended).to.deep.equal([null, 'SIGKILL']);
    const reports = await complete(second === undefined ? [] : [second]);
    expect(reports.map(({ importedHours }) => importedHours)).to.deep.equal([HOURS.length]);
    expect(await warehouses[0].everything()).to.deep.equal(await cleanImport(make, HOURS));
  });
});
