import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { copyEmptyFile } from '../service/demo-data.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { eventually } from '../services/eventually.js';
import { type ArchiveServer, archiveServer } from '../warehouse/archive-server.js';
import { archiveFiles, EVENTS } from '../warehouse/follow/following.js';
import { run, serveHere, startHere, stopAll } from './command-line.js';

/** The tests of this suite are a sequence: each hour is imported by one of them. */
describe('data follow', () => {
  let folder: string;
  let server: ArchiveServer;
  let files: Record<string, Buffer>;
  let environment: Record<string, string>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-follow-'));
    files = archiveFiles([6]);
    server = await archiveServer(files);
    environment = {
      DATA_DIR: folder,
      ...(await newDatabase('mine')),
      ARCHIVE_URL: server.url,
      ENDPOINTS_DIR: FEW_ENDPOINTS,
      NOW: '2015-01-01T08:10:00Z',
      PORT: '0',
    };
  });
  after(async () => {
    stopAll();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const newDatabase = async (name: string) => {
    const file = join(folder, `${name}.duckdb`);
    await copyEmptyFile(file);
    return { DATABASE_URL: `duckdb:${file}` };
  };
  const publish = (hour: number) => Object.assign(files, archiveFiles([hour]));
  const follow = (...words: string[]) => run(['data', 'follow', ...words], { environment });

  it('runs in the background of a service with FOLLOW_ARCHIVE, which reports its progress', async () => {
    const service = await serveHere({ ...environment, FOLLOW_ARCHIVE: '2015-01-01-6' });
    const health = async () =>
      (await (await fetch(`${service.url}/healthy/`)).json()) as { follow: Record<string, unknown> };
    await eventually(async () => (await health()).follow.state === 'waiting');
    const { follow: progress, ...parts } = await health();
    expect(parts).to.deep.equal({
      healthy: true,
      isTiDBHealthy: true,
      isRedisHealthy: true,
      isShadowTiDBHealthy: true,
    });
    const { nextAttemptAt, ...rest } = progress;
    expect(String(nextAttemptAt)).to.match(/^2015-01-01T08:1\d:\d\d\.\d{3}Z$/);
    expect(rest).to.deep.equal({
      state: 'waiting',
      from: '2015-01-01-6',
      newestHour: '2015-01-01-6',
      lagMs: 70 * 60_000,
      missingHours: 1,
      lastImportedAt: '2015-01-01T08:10:00Z',
      importedHours: 1,
      lastError: null,
    });
    const rejected = await follow();
    expect(rejected).to.deep.include({
      code: 2,
      err: 'The service already follows the archive (FOLLOW_ARCHIVE); `data status` and /healthy/ show its progress.\n',
    });
    const status = await run(['data', 'status'], { environment });
    expect(status.out).to.match(/The service follows it: waiting, next attempt at 2015-01-01T08:1/);
    expect((await service.close()).code).to.equal(0);
  });

  it('runs in a service that holds the file, and the service reports the hours that others have imported', async () => {
    const service = await serveHere(environment);
    const health = async () => (await (await fetch(`${service.url}/healthy/`)).json()) as { follow?: unknown };
    await eventually(async () => (await health()).follow !== undefined);
    expect((await health()).follow).to.deep.equal({
      ...{ state: 'external', from: '2015-01-01-6', newestHour: '2015-01-01-6', lagMs: 70 * 60_000, missingHours: 1 },
      ...{ lastImportedAt: '2015-01-01T08:10:00Z', importedHours: 0, lastError: null, nextAttemptAt: null },
    });
    publish(7);
    expect(await follow('--once', '--from', '2015-01-01-6')).to.deep.equal({
      code: 0,
      out:
        `1 hour imported, with ${EVENTS} new events.\n` +
        'The archive is followed from 2015-01-01-6: the newest imported hour is 2015-01-01-7, which ended 10 ' +
        'minutes ago; 0 hours missing.\n',
      err: `2015-01-01-7: ${EVENTS} new events\n`,
    });
    const endless = startHere(['data', 'follow'], { environment });
    await eventually(() => endless.err().includes('Stop with Ctrl-C'));
    endless.stop();
    expect((await endless.ended).code).to.equal(0);
    expect((await service.close()).code).to.equal(0);
  });

  it('reads several archives, names them, and shows in data status what each contributed', async () => {
    const other = await archiveServer(archiveFiles([5, 7]));
    const both = { ...environment, ...(await newDatabase('both')), ARCHIVE_URL: `${server.url}, ${other.url}/` };
    const words = ['data', 'follow', '--once', '--from', '2015-01-01-5'];
    const { code, out, err } = await run(words, { environment: both });
    expect([code, out]).to.deep.equal([
      0,
      `3 hours imported, with ${3 * EVENTS} new events.\n` +
        'The archive is followed from 2015-01-01-5: the newest imported hour is 2015-01-01-7, which ended 10 ' +
        'minutes ago; 0 hours missing.\n',
    ]);
    // Both followers try hour 7, and either of them can be the first.
    const lines = err
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('2015-01-01-7'));
    expect(lines).to.include.members([
      `2015-01-01-5: ${EVENTS} new events (${other.url})`,
      `2015-01-01-6: ${EVENTS} new events (${server.url})`,
    ]);
    const status = await run(['data', 'status', '--json'], { environment: both });
    const { archives } = JSON.parse(status.out) as { archives: { archive: string; added: number }[] };
    expect(archives.map(({ archive }) => archive)).to.have.members([`${server.url}/`, `${other.url}/`]);
    expect(archives.reduce((sum, { added }) => sum + added, 0)).to.equal(3 * EVENTS);
    await other.close();
  });

  it('imports hours once, reports gaps by its exit code, and shows the state in data status', async () => {
    const gap = await follow('--once', '--from', '2015-01-01-5', '--json');
    const coverage = {
      from: '2015-01-01-5',
      newestHour: '2015-01-01-7',
      lagMs: 10 * 60_000,
      missingHours: 1,
      lastImportedAt: '2015-01-01T08:10:00Z',
    };
    expect([gap.code, JSON.parse(gap.out)]).to.deep.equal([
      1,
      {
        state: 'stopped',
        ...coverage,
        ...{ importedHours: 0, lastError: null, nextAttemptAt: null, events: 0, gaps: ['2015-01-01-5'], failed: [] },
      },
    ]);
    expect(gap.err).to.equal('2015-01-01-5: the archive does not have this hour, but later ones\n');
    const status = await run(['data', 'status', '--json'], { environment });
    expect(JSON.parse(status.out).follow).to.deep.equal(coverage);

    // The service must not start if it cannot follow the archive.
    const late = { ...environment, NOW: '2026-01-31T00:30:00Z', FOLLOW_ARCHIVE: '2026-01-31-1' };
    const service = await run(['serve'], { environment: late });
    expect([service.code, service.err]).to.deep.equal([
      2,
      'The archive cannot be followed from 2026-01-31-1: expected an hour from 2011-02-12-0 to 2026-01-31-0.\n',
    ]);
  });

  it('rejects a start that is not an hour, or that is in the future', async () => {
    const wrong = await follow('--from', '2015-02-30');
    expect([wrong.code, wrong.err.split('\n')[0]]).to.deep.equal([
      2,
      "error: option '--from <hour>' argument '2015-02-30' is invalid. Expected an hour such as 2026-01-31-5, or a day " +
        'such as 2026-01-31, in UTC.',
    ]);
    const early = await follow('--from', '2015-01-02');
    expect([early.code, early.err.split('\n').at(-2)]).to.deep.equal([
      2,
      'The archive cannot be followed from 2015-01-02-0: expected an hour from 2011-02-12-0 to 2015-01-01-8.',
    ]);
  });

  it('ends at Ctrl-C with a summary', async () => {
    publish(8);
    const later = { ...environment, NOW: '2015-01-01T09:10:00Z' };
    const process = startHere(['data', 'follow', '--from', '2015-01-01-6'], { environment: later });
    await eventually(() => process.err().includes('2015-01-01-8: '));
    process.stop();
    const { code, out, err } = await process.ended;
    expect([code, out.split('\n')[0]]).to.deep.equal([0, `1 hour imported, with ${EVENTS} new events.`]);
    expect(err.split('\n')[0]).to.equal(`Following ${server.url}. Stop with Ctrl-C.`);
  });
});
