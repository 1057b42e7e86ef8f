import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { refreshFull } from '../../warehouse/derived/refresh.js';
import { ImportRunningError } from '../../warehouse/import/import-sources.js';
import { describeEmbeddedOnly } from './embedded-only.js';
import { hourFiles, hourLines } from './event-files.js';
import { killedImport } from './killed-import.js';
import type { Rows } from './oracle-tables.js';
import { IMPORT_STEPS } from './store-steps.js';
import { FIXTURES, onEveryDatabase, reopened, type TestWarehouse } from './test-warehouse.js';

const HOURS = [4, 31];
const COPIES = 2;

onEveryDatabase('an import is exact', (make) => {
  let clean: TestWarehouse;
  let files: string[];
  let expected: Record<string, Rows>;

  before(async () => {
    clean = await make();
    files = await hourFiles(join(clean.folder, 'files'), HOURS, COPIES);
    await clean.import([...files, FIXTURES]);
    expected = await clean.everything();
  });
  after(() => clean.close());

  const inOther = async (work: (other: TestWarehouse) => Promise<void>) => {
    const other = await make();
    try {
      await work(other);
      expect(await other.everything()).to.deep.equal(expected);
    } finally {
      await other.close();
    }
  };

  it('when it is repeated with the same files', async () => {
    const before = await clean.rows('SELECT * FROM import_files');
    const summary = await clean.import([...files, FIXTURES]);
    expect(summary.files.map((file) => file.state)).to.deep.equal(summary.files.map(() => 'skipped'));
    expect(await clean.rows('SELECT * FROM import_files')).to.deep.equal(before);
    expect(await clean.everything()).to.deep.equal(expected);
  });

  it('in any order, file by file, with the same derived tables as after a full refresh, while other imports are rejected', () =>
    inOther(async (other) => {
      const [first = '', ...order] = [files[1] ?? '', FIXTURES, files[0] ?? ''];
      const running = other.import([first]);
      const second = await other.import([FIXTURES]).catch((error: unknown) => error);
      await running;
      expect(second).to.be.instanceOf(ImportRunningError);
      for (const file of order) await other.import([file]);
      expect(await other.everything()).to.deep.equal(expected);
      await refreshFull(other.store);
    }));

  it('after a full refresh of derived tables with missing, changed and repeated rows', () =>
    inOther(async (other) => {
      await other.import([...files, FIXTURES]);
      await other.store.write(async (tables) => {
        await tables.run('DELETE FROM mv_repo_stars WHERE MOD(user_id, 2) = 0');
        await tables.run('UPDATE mv_repo_totals SET stars = stars + 1');
        await tables.run('DELETE FROM mv_repo_names WHERE tier = 0');
        await tables.run('UPDATE mv_event_coverage SET events = 0');
        // Only a database file has no keys that prevent repeated rows.
        if (other.url !== undefined) return;
        await tables.append('mv_repo_issues', 'SELECT * FROM mv_repo_issues LIMIT 3');
        await tables.append('mv_repo_daily_newcomers', 'SELECT * FROM mv_repo_daily_newcomers');
      });
      await refreshFull(other.store);
      if (other.url !== undefined) return;
      const versions = () =>
        other.rows(
          "SELECT table_name, commit_number FROM data_versions WHERE table_name LIKE 'mv!_%' ESCAPE '!' AND table_name <> 'mv_feed_gaps'",
        );
      const before = await versions();
      await refreshFull(other.store);
      expect(await versions()).to.deep.equal(before);
    }));

  it('when files overlap, in one batch and in several', () =>
    inOther(async (other) => {
      const part = join(other.folder, 'part.json');
      const lines = hourLines(4, COPIES);
      await writeFile(part, lines.slice(5, 15).join('\n'));
      const packedAgain = join(other.folder, 'again.json.gz');
      await writeFile(packedAgain, gzipSync(`${lines.join('\r\n')}\r\n`, { level: 1 }));
      const first = await other.import([part, ...files, FIXTURES]);
      expect(first.files.map((file) => file.alreadyThere).slice(0, 3)).to.deep.equal([0, 10, 0]);
      const second = await other.import([packedAgain]);
      expect(second.files.map(({ state, events, alreadyThere }) => ({ state, events, alreadyThere }))).to.deep.equal([
        { state: 'imported', events: lines.length, alreadyThere: lines.length },
      ]);
      expect(second.events).to.equal(0);
    }));

  it('when the process is killed after it has read a batch, before the ledger, and after a commit, and the import runs again', async () => {
    const other = await make();
    await other.leave();
    // One batch per file. A process skips the files that an earlier one has committed.
    for (const at of KILLS) await killedImport(other, [...files, FIXTURES], at);
    const again = await reopened(other.folder, other.url);
    try {
      expect(await again.rows('SELECT COUNT(*) FROM import_files')).to.deep.equal([['4']]);
      await again.import([...files, FIXTURES]);
      expect(await again.everything()).to.deep.equal(expected);
    } finally {
      await again.close();
    }
  });

  describeEmbeddedOnly(make, () => {
    it('in batches of any size', () =>
      inOther(async (other) => void (await other.import([...files, FIXTURES], { batchEvents: 1 }))));
  });
});

/** Commits of one, two, and one file. */
const KILLS = [
  { step: IMPORT_STEPS.batchRead, time: 2 },
  { step: IMPORT_STEPS.beforeLedger, time: 3 },
  { step: IMPORT_STEPS.afterCommit },
];
