import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ImportProgress } from '../../warehouse/import/import-options.js';
import { hourLines } from './event-files.js';
import { type TestWarehouse, testWarehouse } from './test-warehouse.js';

/** More files than are opened at the same time. */
const HOURS = [1, 2, 3, 4, 5, 6];

describe('the progress of an import', () => {
  let warehouse: TestWarehouse;
  let files: string[];
  before(async () => {
    warehouse = await testWarehouse();
    files = await Promise.all(
      HOURS.map(async (hour) => {
        const path = join(warehouse.folder, `hour-${hour}.json`);
        await writeFile(path, hourLines(hour).join('\n').padEnd(20_000));
        return path;
      }),
    );
  });
  after(() => warehouse.close());

  const importAll = async () => {
    const states: ImportProgress[] = [];
    await warehouse.import(files, { batchEvents: 1, onProgress: (state) => states.push(state) });
    return states.filter(({ totalBytes }) => totalBytes > 0);
  };

  it('is a share of all files, also while most of them are not opened', async () => {
    const states = await importAll();
    expect(new Set(states.map(({ totalBytes }) => totalBytes))).to.deep.equal(new Set([HOURS.length * 20_000]));
    expect(states[0]).to.include({ bytes: 0, files: 0 });
    expect(states.at(-1)).to.include({ bytes: HOURS.length * 20_000, files: HOURS.length });
    expect(states.find(({ files: stored }) => stored === 1)?.bytes).to.be.below(HOURS.length * 20_000);
  });

  it('is complete if all files were imported before', async () => {
    expect((await importAll()).at(-1)).to.include({ bytes: HOURS.length * 20_000, files: HOURS.length });
  });
});
