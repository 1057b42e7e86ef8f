import { expect } from 'chai';
import { DownloadClaim } from '../../../warehouse/import/follow/download-claim.js';
import { useMysql } from '../../services/mysql.js';
import { SERVER } from '../../services/server.js';
import { serverWarehouse, type TestWarehouse } from '../test-warehouse.js';

describe(`the claim of a follower that downloads, on ${SERVER}`, () => {
  const server = useMysql();
  let warehouse: TestWarehouse;
  beforeEach(async () => {
    warehouse = await serverWarehouse(server.url);
  });
  afterEach(() => warehouse.close());

  const take = (claim: DownloadClaim, hour: number) =>
    claim.take(hour).then(
      () => 'downloads',
      (error: Error) => error.name,
    );

  it('begins when the other one has ended', async () => {
    const [first, second] = [new DownloadClaim(warehouse.store), new DownloadClaim(warehouse.store)];
    const seen = [await take(first, 1), await take(second, 1)];
    await first.release();
    seen.push(await take(second, 1), await take(first, 2));
    await second.release();
    expect(seen).to.deep.equal(['downloads', 'DownloadRunningError', 'downloads', 'DownloadRunningError']);
  });

  it('also begins if the other one makes no progress, and then waits again for the next hour', async () => {
    let nowMs = 0;
    const [first, second] = [new DownloadClaim(warehouse.store), new DownloadClaim(warehouse.store, () => nowMs)];
    const seen = [await take(first, 1)];
    for (const [hour, atMs] of [
      [1, 0],
      [1, 299_999],
      [1, 300_000],
      [2, 300_000],
    ] as const) {
      nowMs = atMs;
      seen.push(await take(second, hour));
    }
    const waits = 'DownloadRunningError';
    expect(seen).to.deep.equal(['downloads', waits, waits, 'downloads', waits]);
    await Promise.all([first.release(), second.release()]);
  });

  it('blocks no import', async () => {
    const claim = new DownloadClaim(warehouse.store);
    expect(await take(claim, 1)).to.equal('downloads');
    expect((await warehouse.import([])).files).to.deep.equal([]);
    await claim.release();
  });
});
