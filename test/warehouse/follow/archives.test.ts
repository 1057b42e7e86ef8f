import { join } from 'node:path';
import { expect } from 'chai';
import { sqlTime } from '../../../engine/index.js';
import { readCoverage } from '../../../warehouse/coverage.js';
import { type ArchiveEvent, createFollowers } from '../../../warehouse/import/follow/followers.js';
import { eventually } from '../../services/eventually.js';
import { type ArchiveServer, archiveServer, type Fault } from '../archive-server.js';
import { describeEmbeddedOnly } from '../embedded-only.js';
import { hourLines } from '../event-files.js';
import { onEveryDatabase, type TestWarehouse } from '../test-warehouse.js';
import {
  archiveFiles,
  cleanImport,
  fileOf,
  hourOf,
  PAUSE_SCALE,
  pathOf,
  STALL_MS,
  timeOf,
  zipLines,
} from './following.js';

/** Returns the same event as a line with another order of keys and other white space. */
function respell(line: string): string {
  return JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(line)).reverse()), null, 1).replaceAll('\n', ' ');
}

onEveryDatabase('several archives', (make) => {
  let warehouse: TestWarehouse;
  let archives: ArchiveServer[];
  beforeEach(async () => {
    warehouse = await make();
    archives = [];
  });
  afterEach(async () => {
    for (const archive of archives) await archive.close();
    await warehouse.close();
  });

  const serve = async (
    files: Readonly<Record<string, Buffer>>,
    faults: Readonly<Record<string, readonly Fault[]>> = {},
  ) => {
    const archive = await archiveServer(files, faults);
    archives.push(archive);
    return archive;
  };
  const follow = (at: number, once: boolean) => {
    const events: ArchiveEvent[] = [];
    const stopping = new AbortController();
    const followers = createFollowers({
      store: warehouse.store,
      importing: {
        stagingDirectory: join(warehouse.folder, 'staging'),
        downloadDirectory: join(warehouse.folder, 'downloads'),
        archiveUrl: archives.map(({ url }) => url).join(','),
        stallMs: STALL_MS,
      },
      clock: () => timeOf(at),
      from: hourOf(6),
      once,
      pauseScale: PAUSE_SCALE,
      onEvent: (event) => events.push(event),
    });
    const ended = Promise.all(followers.map((follower) => follower.run(stopping.signal)));
    const stop = async () => {
      stopping.abort();
      await ended;
    };
    return { events, ended, stop, first: followers[0] };
  };

  it('have each event once, also if its lines differ; an hour that one of them has is not a gap', async () => {
    const lines = hourLines(7, 3);
    const [one, other] = [
      lines.filter((_, index) => index % 3 !== 0),
      lines.filter((_, index) => index % 3 !== 1).map(respell),
    ];
    await serve({ [pathOf(6)]: fileOf(6), [pathOf(7)]: zipLines(one), [pathOf(9)]: fileOf(9) });
    await serve({ [pathOf(7)]: zipLines(other), [pathOf(8)]: fileOf(8), [pathOf(9)]: fileOf(9) });
    const { events, ended, first } = follow(10, true);
    await ended;
    const summary = await first.summary();
    expect([summary.missingHours, summary.gaps, summary.failed]).to.deep.equal([0, [], []]);
    const imported = events.flatMap((event) => (event.kind === 'imported' ? [event] : []));
    expect(imported.reduce((sum, event) => sum + event.events, 0)).to.equal(4 * lines.length);
    expect(new Set(imported.map(({ archive }) => archive))).to.deep.equal(new Set(archives.map(({ url }) => url)));
    expect(await warehouse.everything()).to.deep.equal(await cleanImport(make, [6, 7, 8, 9]));
    // A file that both archives have is not requested again.
    const before = archives.map(({ requests }) => requests.length);
    await follow(10, true).ended;
    const later = archives.map(({ requests }, index) =>
      requests.slice(before[index]).filter((request) => request.includes(pathOf(9))),
    );
    expect(later).to.deep.equal([[], []]);
  });

  describeEmbeddedOnly(make, () => {
    it('do not wait for one that never ends a download', async () => {
      const hours = [6, 7, 8, 9];
      await serve(archiveFiles(hours));
      await serve({ [pathOf(6)]: fileOf(6) }, { [pathOf(6)]: ['stall'] });
      const { stop, first } = follow(10, false);
      await eventually(() => first.progress().missingHours === 0);
      await stop();
      expect(await warehouse.everything()).to.deep.equal(await cleanImport(make, hours));
    });

    it('are asked once for old hours that they do not have', async () => {
      await serve({ [pathOf(6)]: fileOf(6), [pathOf(7)]: fileOf(7) });
      await serve({ [pathOf(7)]: zipLines(hourLines(7, 4)) });
      const files = () => archives[1]?.requests.filter((request) => request.includes(pathOf(6))).length;
      // The other hours were completed in an earlier run.
      const others = Array.from({ length: 80 }, (_, index) => 8 + index);
      await warehouse.store.write((tables) =>
        tables.insertRows(
          'sys_archive_hours',
          archives.flatMap(({ url }) => others.map((hour) => [url, sqlTime(timeOf(hour))])),
        ),
      );
      await follow(8 + 80, true).ended;
      expect(files()).to.equal(1);
      await follow(8 + 80, true).ended;
      expect(files()).to.equal(1);
    });

    it('are all read by an import of hours', async () => {
      await serve({ [pathOf(6)]: fileOf(6) });
      await serve({
        [pathOf(6)]: zipLines([...hourLines(6, 3), ...hourLines(6, 4).slice(0, 13)]),
        [pathOf(7)]: fileOf(7),
      });
      const archiveUrl = archives.map(({ url }) => url).join(',');
      const { files } = await warehouse.import(['2015-01-01-6..2015-01-01-7'], { archiveUrl });
      expect(files.map(({ state, events, alreadyThere }) => [state, events, alreadyThere])).to.deep.equal([
        ['imported', 39, 0],
        ['imported', 52, 39],
        ['missing', 0, 0],
        ['imported', 39, 0],
      ]);
      const contributions = [
        { archive: `${archives[0]?.url}/`, files: 1, events: 39, added: 39 },
        { archive: `${archives[1]?.url}/`, files: 2, events: 91, added: 52 },
      ];
      const byUrl = [...contributions].sort((a, b) => (a.archive < b.archive ? -1 : 1));
      expect((await readCoverage(warehouse.database)).archives).to.deep.equal(byUrl);
    });
  });
});
