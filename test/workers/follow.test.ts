import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { stopAll } from '../cli/command-line.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { eventually } from '../services/eventually.js';
import { useMysql } from '../services/mysql.js';
import { type ArchiveServer, archiveServer } from '../warehouse/archive-server.js';
import { archiveFiles, pathOf } from '../warehouse/follow/following.js';
import { isRunning, NO_LIMITS, startWorkers } from './worker-service.js';

describe('an archive that a service with workers follows', () => {
  const database = useMysql();
  let folder: string;
  let archive: ArchiveServer;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'workers-follow-'));
    archive = await archiveServer(archiveFiles([6, 7]));
  });
  after(async () => {
    stopAll();
    await archive.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is followed by one worker, and by another one when that one ends', async () => {
    const environment = {
      ...{ ...database.environment, ...NO_LIMITS, DATA_DIR: folder, PORT: '0', ARCHIVE_URL: archive.url },
      ...{ NOW: '2015-01-01T08:10:00Z', FOLLOW_ARCHIVE: '2015-01-01-5', ENDPOINTS_DIR: FEW_ENDPOINTS },
    };
    const service = await startWorkers(2, { environment });
    const imported = await service.logged('an hour of the archive was imported', 2);
    await service.answeringWorkers(2);
    const [follower = 0, ...others] = new Set(imported.map(({ pid }) => pid));
    expect(others).to.deep.equal([]);
    // Hour 5 is missing, so that each follower requests it when it starts.
    const requested = () => archive.requests.filter((request) => String(request).includes(pathOf(5))).length;
    expect(requested()).to.equal(1);
    process.kill(follower, 'SIGKILL');
    await eventually(() => !isRunning(follower) && requested() === 2);
    expect(await service.stop()).to.equal(0);
  });
});
