import { join } from 'node:path';
import { expect } from 'chai';
import { hourFiles } from '../warehouse/event-files.js';
import {
  cleanImport,
  type Kill,
  killAndComplete,
  pathOf,
  startFollowerProcess,
} from '../warehouse/follow/following.js';
import { startImport } from '../warehouse/killed-import.js';
import { onEveryDatabase, reopened } from '../warehouse/test-warehouse.js';
import { record, seedOf } from './report.js';

/** The number of processes to kill. `FOLLOW_KILLS=100` runs a long test. */
const KILLS = Number(process.env.FOLLOW_KILLS ?? 4);
const HOURS = [6, 7, 8, 9];
/** The approximate time in which a process imports all files after its first line of output. */
const RUN_MS = 2_000;

onEveryDatabase('a process that is killed at a random moment', (make) => {
  const seed = seedOf('killed imports');
  let state = seed;
  /** Returns the next number from 0 to 1 of a seeded generator. */
  const random = () => {
    state = (state * 48_271 + 11) % 2_147_483_647;
    return state / 2_147_483_647;
  };

  /** Kills the process some time after it has started to work. The process may already have ended. */
  async function killSoon({ child, ended, lines }: ReturnType<typeof startImport>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    for await (const _ of lines) timer ??= setTimeout(() => child.kill('SIGKILL'), random() * RUN_MS);
    clearTimeout(timer);
    record('killed imports', `ended with ${String((await ended)[1] ?? 'success')}`);
  }

  it('has imported complete batches, and another import completes the rest', async () => {
    const clean = await make();
    const files = await hourFiles(join(clean.folder, 'files'), [3, 4, 22, 31], 4);
    await clean.import(files);
    const created = await make();
    await created.leave();
    for (let kill = 0; kill < KILLS; kill++) await killSoon(startImport(created, files));
    const again = await reopened(created.folder, created.url);
    await again.import(files);
    expect(await again.everything(), `seed ${seed}`).to.deep.equal(await clean.everything());
    await Promise.all([again.close(), clean.close()]);
  });

  it('has followed the archive, and another follower completes the rest', async () => {
    const kill: Kill = (warehouse, url) => killSoon(startFollowerProcess(warehouse, url, { step: '' }));
    const faults = { [pathOf(6)]: ['half', 'cut'], [pathOf(9)]: ['late', 'late', 'half'] } as const;
    const kills = Array.from({ length: KILLS }, () => kill);
    const { rows, downloads } = await killAndComplete(make, { hours: HOURS, faults, kills });
    expect(downloads).to.deep.equal([]);
    expect(rows, `seed ${seed}`).to.deep.equal(await cleanImport(make, HOURS));
  });
});
