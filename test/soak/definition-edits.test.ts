import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { createRandom } from '../../demo/world/random.js';
import { EDITS, EditsUnderLoad } from '../live/edits-under-load.js';
import { createOwnFolder, type OwnFolder } from '../live/own-folder.js';
import { type DemoService, startDemoService } from '../service/demo-service.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { record, seedOf } from './report.js';

/** The number of edits. The number can be increased with `EDITS` for a long run. */
const COUNT = Number(process.env.EDITS ?? 100);
/** The number of edits between two measurements of the heap. */
const HEAP_EVERY = 50;

describe('random edits of definitions under load', () => {
  let demo: DemoService;
  let own: OwnFolder;

  before(async () => {
    own = await createOwnFolder();
    demo = await startDemoService({ ENDPOINTS_DIR: `${FEW_ENDPOINTS},${own.path}`, LOG_LEVEL: 'silent' });
  });

  after(async () => {
    await demo?.close();
    await own?.close();
  });

  it('never fail a request that a last good definition can answer, and never mix two versions', async () => {
    const seed = seedOf('edits of definitions');
    const random = createRandom(seed, 'edits');
    const edits = new EditsUnderLoad(demo, own, random);
    const heap: number[] = [];
    await demo.service.definitions.watch();
    await edits.start();
    for (let count = 1; count <= COUNT; count += 1) {
      await edits.edit(random.pick(EDITS));
      // The stored log lines are removed, because they would distort the memory measurement.
      demo.log.splice(0);
      if (count % HEAP_EVERY === 0) heap.push(heapMegabytes());
    }
    await edits.stop();
    record('edits of definitions', `${COUNT} edits, ${edits.requests} requests, heap in MB: ${heap.join(' ')}`);
    expect(edits.faults.join('\n'), `seed ${seed}`).to.equal('');
    expect(edits.requests).to.be.greaterThan(COUNT);
    expect((heap.at(-1) ?? 0) - (heap[0] ?? 0), 'growth of the heap in megabytes').to.be.lessThan(20);
  });
});

/** Returns the size of the heap in megabytes, after a garbage collection. */
function heapMegabytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return Math.round(process.memoryUsage().heapUsed / 1e6);
}
