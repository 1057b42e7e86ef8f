import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../../services/eventually.js';
import { type ArchiveServer, archiveServer } from '../archive-server.js';
import { describeEmbeddedOnly } from '../embedded-only.js';
import { hourLines } from '../event-files.js';
import { onEveryDatabase, type TestWarehouse } from '../test-warehouse.js';
import {
  archiveFiles,
  cleanImport,
  EVENTS,
  type Faults,
  fileOf,
  hourOf,
  pathOf,
  startFollower,
  timeOf,
  zipLines,
} from './following.js';

const HOURS = [7, 8, 9];
/** The stall timeout in the only test with a stalled download. Other downloads can also exceed this timeout; they are retried. */
const STALLED_MS = 200;

onEveryDatabase('a followed archive', (make) => {
  let warehouse: TestWarehouse;
  let server: ArchiveServer;
  let followers: ReturnType<typeof startFollower>[] = [];

  beforeEach(async () => {
    warehouse = await make();
  });
  afterEach(async () => {
    await Promise.allSettled(followers.map(({ stop }) => stop()));
    followers = [];
    await server.close();
    await warehouse.close();
  });

  const follow = async (
    files: Record<string, Buffer>,
    faults: Faults,
    options: Parameters<typeof startFollower>[2],
  ) => {
    server = await archiveServer(files, faults);
    return followAgain(options);
  };
  const followAgain = (options: Parameters<typeof startFollower>[2]) => {
    const follower = startFollower(warehouse, server.url, options);
    followers.push(follower);
    return follower;
  };

  it('that is late, stalls, disconnects, and serves errors and half files, gives every event exactly once', async () => {
    const visible: Promise<unknown>[] = [];
    const events = (hour: number) =>
      warehouse.rows(`SELECT COUNT(*) FROM github_events WHERE HOUR(created_at) = ${hour}`);
    const follower = await follow(
      archiveFiles(HOURS),
      {
        [pathOf(7)]: ['fail', 'half', 'busy'],
        [pathOf(8)]: ['stall', 'cut', 'half', 'text'],
        [pathOf(9)]: ['late', 'half', 'late'],
      },
      {
        from: hourOf(7),
        stallMs: STALLED_MS,
        // A file that was rejected has no rows.
        onEvent: (event) => event.kind === 'failed' && visible.push(events(Number(event.hour.split('-')[3]))),
      },
    );
    await eventually(() => follower.progress().missingHours === 0);
    const { importedHours, events: added, gaps, failed, state, lagMs, newestHour, lastError } = await follower.stop();
    expect({ importedHours, added, gaps, failed, state, lagMs, newestHour, lastError }).to.deep.equal({
      importedHours: HOURS.length,
      added: HOURS.length * EVENTS,
      ...{ gaps: [], failed: [], state: 'stopped', lagMs: 0, newestHour: '2015-01-01-9', lastError: null },
    });
    expect(await warehouse.everything()).to.deep.equal(await cleanImport(make, HOURS));
    expect(visible).to.have.length.above(3);
    for (const rows of await Promise.all(visible)) expect(rows).to.deep.equal([['0']]);
    const failures = follower.events.flatMap((event) => (event.kind === 'failed' ? [event.message] : []));
    expect(failures.join('\n'))
      .to.match(/could not be downloaded: the server returned status 503/)
      .and.match(/status 429/)
      .and.match(/no bytes were received for 0.2 s/)
      .and.match(/The file is truncated: its gzip data end too early/)
      .and.match(/Expected a gzip file \(1f 8b\), got text without a checksum/);
  });

  describeEmbeddedOnly(make, () => {
    it('is imported as its hours end; a gap does not delay newer hours, and is filled later, also after a restart', async () => {
      let now = timeOf(9);
      const clock = () => now;
      const files = archiveFiles([8]);
      const first = await follow(files, {}, { from: hourOf(7), clock });
      let { nextAttemptAt, ...progress } = first.progress();
      await eventually(() => {
        ({ nextAttemptAt, ...progress } = first.progress());
        return progress.importedHours === 1 && progress.state === 'waiting' && nextAttemptAt !== null;
      });
      expect(Date.parse(nextAttemptAt ?? '')).to.be.at.least(timeOf(9).getTime());
      expect(progress).to.deep.equal({
        state: 'waiting',
        from: '2015-01-01-7',
        newestHour: '2015-01-01-8',
        // The lag is that of the newest hour, even if an earlier hour is missing. It is 9 o'clock.
        lagMs: 0,
        missingHours: 1,
        lastImportedAt: '2015-01-01T09:00:00Z',
        importedHours: 1,
        lastError: null,
      });
      await eventually(() => first.events.some(({ kind }) => kind === 'gap'));
      expect((await first.stop()).gaps).to.deep.equal(['2015-01-01-7']);
      const gaps = first.events.filter(({ kind }) => kind === 'gap');
      expect(gaps).to.deep.equal([{ kind: 'gap', hour: '2015-01-01-7' }]);
      const second = followAgain({ clock });
      files[pathOf(9)] = fileOf(9);
      now = new Date(timeOf(10).getTime() + 1_000);
      await eventually(() => second.progress().newestHour === '2015-01-01-9');
      const { from, missingHours, lagMs } = second.progress();
      expect({ from, missingHours, lagMs }).to.deep.equal({ from: '2015-01-01-7', missingHours: 1, lagMs: 1_000 });
      files[pathOf(7)] = fileOf(7);
      await eventually(() => second.progress().missingHours === 0);
      expect(second.progress().lagMs).to.equal(1_000);
      const summary = await second.stop();
      expect([summary.importedHours, summary.gaps]).to.deep.equal([2, []]);
      expect(await warehouse.everything()).to.deep.equal(await cleanImport(make, HOURS));
    });

    it('waits for another import, and continues after it', async () => {
      server = await archiveServer(archiveFiles([9]));
      let end: () => void = () => {};
      const other = warehouse.store.runExclusively('import', 0, () => new Promise<void>((resolve) => (end = resolve)));
      const follower = followAgain({ from: hourOf(9) });
      await eventually(() => follower.progress().state === 'standby');
      expect(follower.events).to.deep.equal([
        {
          kind: 'standby',
          message: 'Another import is running on this database, in this process. This one continues after it.',
        },
      ]);
      end();
      await other;
      await eventually(() => follower.progress().missingHours === 0);
      // The download did not wait for the other import, and was not repeated afterwards.
      expect(server.requests).to.deep.equal([`GET ${pathOf(9)}`]);
    });

    it('with one slow hour blocks neither other imports nor later hours', async () => {
      let now = timeOf(9);
      const follower = await follow(
        archiveFiles([7, 8, 9]),
        { [pathOf(8)]: ['stall'] },
        { from: hourOf(8), clock: () => now },
      );
      await eventually(() => server.requests.length === 1);
      // Hour 9 has ended while hour 8 is being downloaded.
      now = timeOf(10);
      await eventually(() => follower.progress().newestHour === '2015-01-01-9');
      expect(server.requests.filter((request) => request === `GET ${pathOf(8)}`)).to.have.length(1);
      const { state, missingHours } = follower.progress();
      expect({ state, missingHours }).to.deep.equal({ state: 'importing', missingHours: 1 });
      const { files } = await warehouse.import([`${server.url}${pathOf(7)}`]);
      expect(files.map((file) => file.state)).to.deep.equal(['imported']);
      expect(await readdir(join(warehouse.folder, 'downloads'))).to.have.length(1);
      const { importedHours, failed } = await follower.stop();
      expect({ importedHours, failed }).to.deep.equal({ importedHours: 1, failed: [] });
      expect(await readdir(join(warehouse.folder, 'downloads'))).to.deep.equal([]);
      expect(await warehouse.rows('SELECT name FROM import_files')).to.deep.equal([
        ['2015-01-01-7.json.gz'],
        ['2015-01-01-9.json.gz'],
      ]);
      await followAgain({ once: true }).ended;
      expect(await warehouse.everything()).to.deep.equal(await cleanImport(make, HOURS));
    });

    it('starts after the newest imported hour, at a given hour, or 24 hours before now; not where it would import many years, or in demo data', async () => {
      const starts: (string | null)[] = [];
      const startOnce = async (options: Parameters<typeof startFollower>[2]) => {
        const { ended } = followAgain({ once: true, ...options });
        starts.push((await ended).from);
      };
      server = await archiveServer(archiveFiles([3, 4]));
      await startOnce({});
      await warehouse.store.write((tables) => tables.run('DELETE FROM sys_archive_follow'));
      await startOnce({});
      await startOnce({ from: hourOf(2) });
      await startOnce({});
      expect(starts).to.deep.equal(['2014-12-31-10', '2015-01-01-5', '2015-01-01-2', '2015-01-01-2']);
      const messages: unknown[] = [];
      const startWrong = (options: Parameters<typeof startFollower>[2]) =>
        followAgain(options).ended.catch((error: Error) => messages.push(`${error.name}: ${error.message}`));
      await warehouse.store.write((tables) => tables.run('DELETE FROM sys_archive_follow'));
      await startWrong({ from: hourOf(11) });
      await startWrong({ clock: () => new Date('2026-01-31T00:30:00Z') });
      await warehouse.store.write((tables) => tables.run("UPDATE import_files SET name = 'demo.json'"));
      await startWrong({});
      const start =
        'State the first hour to follow, such as 2026-01-31-0, with --from or in the setting FOLLOW_ARCHIVE.';
      expect(messages).to.deep.equal([
        'FollowStartError: The archive cannot be followed from 2015-01-01-11: expected an hour from 2011-02-12-0 to 2015-01-01-10.',
        `FollowStartError: The newest imported hour is 2015-01-01-4, so 97147 hours would be imported. ${start}`,
        `FollowStartError: The database has events, but none of an hour of the archive, such as demo data. ${start}`,
      ]);
    });

    it('does not accept an hour without events, or with the content of another hour, but an hour with a late event', async () => {
      const late = hourLines(4)
        .slice(0, 1)
        .map((line) => line.replaceAll('2015-', '2013-'));
      const files = {
        ...archiveFiles([3]),
        [pathOf(4)]: fileOf(3),
        [pathOf(5)]: Buffer.from(EMPTY_GZIP, 'base64'),
        [pathOf(6)]: zipLines([...hourLines(6, 3), ...late]),
      };
      const { ended } = await follow(files, {}, { from: hourOf(3), clock: () => timeOf(7), once: true });
      const { failed, missingHours, lastError } = await ended;
      expect({ failed, missingHours, lastError }).to.deep.equal({
        failed: [
          {
            hour: '2015-01-01-4',
            message: `The file was already imported from ${server.url}${pathOf(3)}.`,
          },
          { hour: '2015-01-01-5', message: 'The file has no event, so it was not imported.' },
        ],
        missingHours: 2,
        lastError: 'The file has no event, so it was not imported.',
      });
      expect(await warehouse.rows('SELECT name FROM import_files')).to.deep.equal([
        ['2015-01-01-3.json.gz'],
        ['2015-01-01-6.json.gz'],
      ]);
      const events = await warehouse.rows('SELECT COUNT(*), MIN(created_at) FROM github_events');
      expect(events).to.deep.equal([[String(2 * EVENTS + 1), '2013-01-01 04:00:00']]);
    });

    it('stores nothing of a file with the events of another hour, until the archive has the right file', async () => {
      const files = {
        [pathOf(7)]: zipLines([...hourLines(7, 3), ...hourLines(7).map((line) => line.replaceAll('2015-', '2013-'))]),
        [pathOf(8)]: zipLines(hourLines(8, 3).map((line) => line.replaceAll('2015-01-01T', '2015-01-08T'))),
        [pathOf(9)]: zipLines(hourLines(3, 3)),
      };
      const follower = await follow(files, {}, { from: hourOf(7) });
      const failures = () => follower.events.flatMap((event) => (event.kind === 'failed' ? [event] : []));
      await eventually(() => failures().length === 3);
      const rejected = 'The file has events of another hour, so it was not imported: expected events from';
      expect(failures().map(({ hour, message }) => `${hour} ${message}`)).to.have.members([
        `2015-01-01-7 ${rejected} 2014-12-31 07:00:00 to 2015-01-02 08:00:00 UTC, but 13 of 52 are outside, such as ` +
          'CreateEvent 2489651745 of ada/new at 2013-01-01 07:00:00.',
        `2015-01-01-8 ${rejected} 2014-12-31 08:00:00 to 2015-01-02 09:00:00 UTC, but 39 of 39 are outside, such as ` +
          'PullRequestReviewCommentEvent 2489653457 of acme/tool at 2015-01-08 15:03:30.',
        `2015-01-01-9 ${rejected} 2015-01-01 09:00:00 to 2015-01-01 10:00:00 UTC, but none of 39 is, such as ` +
          'PullRequestReviewCommentEvent 2489651957 of acme/tool at 2015-01-01 15:03:30.',
      ]);
      expect(Object.values(await warehouse.everything()).flat()).to.deep.equal([]);
      expect(await warehouse.rows('SELECT name FROM import_files')).to.deep.equal([]);
      Object.assign(files, archiveFiles(HOURS));
      await eventually(() => follower.progress().missingHours === 0);
      expect(await warehouse.everything()).to.deep.equal(await cleanImport(make, HOURS));
    });
  });
});

/** An empty text as gzip data in base64. */
const EMPTY_GZIP = 'H4sIAAAAAAAAAwMAAAAAAAAAAAA=';
