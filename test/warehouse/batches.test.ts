import { expect } from 'chai';
import { IN_MEMORY } from '../../engine/databases/duckdb/connection/options.js';
import { openEmbedded } from '../../engine/databases/duckdb/embedded.js';
import { EmbeddedStore } from '../../warehouse/store/embedded-store.js';

describe('the batches of an import into a database file', () => {
  it('grow with the memory limit, from 100,000 events for 256 MB to a million', async () => {
    const sizes: [string, number][] = [];
    for (const memoryLimit of ['128MB', '256MB', '1GB', '2GB', '16GB']) {
      const database = await openEmbedded({ file: IN_MEMORY, memoryLimit, threads: 1, readers: 1 });
      sizes.push([memoryLimit, new EmbeddedStore(database).batchEvents]);
      await database.close();
    }
    expect(sizes).to.deep.equal([
      ['128MB', 100_000],
      ['256MB', 100_000],
      ['1GB', 390_625],
      ['2GB', 781_250],
      ['16GB', 1_000_000],
    ]);
  });
});
