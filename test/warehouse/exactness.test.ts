import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { refreshFull } from '../../warehouse/derived/refresh.js';
import { ImportRunningError } from '../../warehouse/import/import-sources.js';
import { hourFiles, hourLines } from './event-files.js';
import { killedImport } from './killed-import.js';
import type { Rows } from './oracle-tables.js';
import { IMPORT_STEPS } from './store-steps.js';
import { FIXTURES, onEveryDatabase, reopened, type TestWarehouse } from './test-warehouse.js';

const HOURS = [3, 4, 22, 31];

onEveryDatabase('an import is exact', (make) => {
  let clean: TestWarehouse;
  let files: string[];
  let expected: Record<string, Rows>;

  before(async () => {
    clean = await make();
    files = await hourFiles(join(clean.folder, 'files'), HOURS, 4);
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

  it('in any order, file by file, with the same derived tables as after a full refresh', () =>
    inOther(async (other) => {
      const order = [FIXTURES, ...files].map((_, index, all) => all[(index * 3 + 2) % all.length] as string);
      for (const file of order) await other.import([file]);
      expect(await other.everything()).to.deep.equal(expected);
      await refreshFull(other.store);
    }));

  it('when another import starts meanwhile, which is rejected', () =>
    inOther(async (other) => {
      const first = other.import([...files, FIXTURES]);
      const second = await other.import([FIXTURES]).catch((error: unknown) => error);
      await first;
      expect(second).to.be.instanceOf(ImportRunningError);
    }));

  it('in batches of any size', () =>
    inOther(async (other) => void (await other.import([...files, FIXTURES], { batchEvents: 1 }))));

  it('when files overlap, in one batch and in several', () =>
    inOther(async (other) => {
      const part = join(other.folder, 'part.json');
      const lines = hourLines(4, 4);
      await writeFile(part, lines.slice(10, 30).join('\n'));
      const packedAgain = join(other.folder, 'again.json.gz');
      await writeFile(packedAgain, gzipSync(`${lines.join('\r\n')}\r\n`, { level: 1 }));
      const first = await other.import([part, ...files, FIXTURES]);
      expect(first.files.map((file) => file.alreadyThere).slice(0, 4)).to.deep.equal([0, 0, 20, 0]);
      const second = await other.import([packedAgain]);
      expect(second.files.map(({ state, events, alreadyThere }) => ({ state, events, alreadyThere }))).to.deep.equal([
        { state: 'imported', events: 52, alreadyThere: 52 },
      ]);
      expect(second.events).to.equal(0);
    }));

  for (const [when, at] of [
    ['after it has read its second batch', { step: IMPORT_STEPS.batchRead, time: 2 }],
    ['before the ledger of its third batch', { step: IMPORT_STEPS.beforeLedger, time: 3 }],
    ['after its first commit', { step: IMPORT_STEPS.afterCommit }],
  ] as const) {
    it(`when the process is killed ${when} and the import runs again`, async () => {
      const other = await make();
      await other.leave();
      await killedImport(other, [...files, FIXTURES], at);
      const again = await reopened(other.folder, other.url);
      try {
        await again.import([...files, FIXTURES]);
        expect(await again.everything()).to.deep.equal(expected);
      } finally {
        await again.close();
      }
    });
  }
});
