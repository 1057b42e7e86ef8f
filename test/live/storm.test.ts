import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { createRandom, type Random } from '../../demo/world/random.js';
import { type DemoService, startDemoService } from '../service/demo-service.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { eventually } from '../services/eventually.js';
import { createOwnFolder, type OwnFolder, type Seen, see, versionOf } from './own-folder.js';

/** The number of edits. `EDITS` sets a larger number for a long run. */
const EDITS = Number(process.env.EDITS ?? 25);
const SEED = Number(process.env.SEED ?? Date.now() % 1e9);
const NAMES = ['ash', 'birch', 'cedar', 'elm', 'fir', 'oak'];
const CLIENTS = 4;
/** The heap is measured after each of this number of edits. */
const HEAP_EVERY = 50;
const KINDS = ['write', 'write', 'write in halves', 'rename', 'break', 'break', 'remove'] as const;
type Kind = (typeof KINDS)[number];

/** What a definition may answer at the moment. */
interface Expected {
  file: string;
  version: number;
  /** The texts of `Seen` that are right; several while an edit takes effect. */
  allowed: Set<string>;
}

describe('random edits of definitions under load', () => {
  let demo: DemoService;
  let own: OwnFolder;
  const states = new Map<string, Expected>();
  const counts = { requests: 0, edits: 0 };
  const faults: string[] = [];

  before(async () => {
    own = await createOwnFolder();
    for (const name of NAMES) {
      await own.write(`${name}.yaml`, versionOf(name, 1));
      states.set(name, { file: `${name}.yaml`, version: 1, allowed: new Set([textOf(served(1))]) });
    }
    demo = await startDemoService({ ENDPOINTS_DIR: `${FEW_ENDPOINTS},${own.path}`, LOG_LEVEL: 'silent' }, 500);
    await demo.service.definitions.watch();
  });

  after(async () => {
    await demo.close();
    await own.close();
  });

  it('never fail a request that a last good definition can answer, and never mix two versions', async () => {
    const random = createRandom(SEED, 'edits');
    const stop = new AbortController();
    const clients = Array.from({ length: CLIENTS }, () => load(demo.service.url, states, counts, faults, stop.signal));
    const heap: number[] = [];
    for (counts.edits = 0; counts.edits < EDITS; counts.edits += 1) {
      const name = random.pick(NAMES);
      const state = states.get(name);
      if (state !== undefined) await edit(name, state, random.pick(KINDS), random);
      // The lines of the log would hide how much memory the service uses.
      demo.log.splice(0);
      if (counts.edits % HEAP_EVERY === HEAP_EVERY - 1) heap.push(heapMegabytes());
    }
    stop.abort();
    await Promise.all(clients);
    expect(faults, `seed ${SEED}`).to.deep.equal([]);
    expect(counts.requests).to.be.greaterThan(EDITS);
    if (process.env.EDITS === undefined) return;
    // Only a long run is alone in its process.
    console.log(JSON.stringify({ seed: SEED, ...counts, heap }));
    expect((heap.at(-1) ?? 0) - (heap[0] ?? 0), 'growth of the heap in megabytes').to.be.lessThan(20);
  });

  /** Changes one file, and waits until the service serves the result. */
  async function edit(name: string, state: Expected, kind: Kind, random: Random): Promise<void> {
    const becomes = async (seen: Seen, change: () => Promise<void>, meanwhile: readonly Seen[] = []) => {
      state.allowed = new Set([...state.allowed, ...[seen, ...meanwhile].map(textOf)]);
      await change();
      await eventually(async () => textOf(await see(demo.service.url, pathOf(name))) === textOf(seen));
      state.allowed = new Set([textOf(seen)]);
    };
    const { file, version } = state;
    const [next, outdated] = [version + 1, { ...served(version), isOutdated: true }];
    const good = versionOf(name, next);
    const isServed = !state.allowed.has(textOf({ status: 404 }));
    if (isServed && kind === 'remove') return becomes({ status: 404 }, () => own.remove(file));
    if (isServed && kind === 'break') return becomes(outdated, () => own.write(file, random.pick(BREAKS)(good)));
    state.version = next;
    if (isServed && kind === 'rename') {
      state.file = file.endsWith('.yaml') ? `sub-${name}.yml` : `${name}.yaml`;
      return becomes(served(next), async () => {
        await rename(join(own.path, file), join(own.path, state.file));
        await own.write(state.file, good);
      });
    }
    if (isServed && kind === 'write in halves') {
      return becomes(served(next), async () => {
        await own.write(file, good.slice(0, random.below(good.length)));
        await pause(random.below(80));
        await own.write(file, good);
      }, [outdated]);
    }
    return becomes(served(next), () => own.write(file, good), isServed ? [outdated] : [{ status: 503 }]);
  }
});

/** Changes that make a definition invalid. */
const BREAKS: readonly ((good: string) => string)[] = [
  () => '',
  (good) => good.slice(0, good.indexOf('sql:')),
  (good) => `${good}\n[`,
  (good) => good.replace('SELECT', 'SELEC'),
  (good) => good.replace('AS again', 'AS other'),
  (good) => good.replace('(SELECT 1 AS n) one', 'no_such_table'),
  () => '\0\u0001',
];

/** The size of the heap without garbage, in megabytes. */
function heapMegabytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return Math.round(process.memoryUsage().heapUsed / 1e6);
}

function pathOf(name: string): string {
  return `/v1/live/${name}/`;
}

function served(version: number): Seen {
  return { status: 200, version: String(version), isOutdated: false };
}

function textOf(seen: Seen): string {
  return JSON.stringify(seen);
}

/** Requests random definitions until the signal aborts. An answer must be right at the start or at the end of its request. */
async function load(
  url: string,
  states: ReadonlyMap<string, Expected>,
  counts: { requests: number },
  faults: string[],
  signal: AbortSignal,
): Promise<void> {
  for (let turn = 0; !signal.aborted; turn += 1) {
    const [name, state] = [...states][turn % states.size] as [string, Expected];
    const before = state.allowed;
    const atStart = [...before];
    const seen = await see(url, pathOf(name)).catch((error: unknown) => ({ status: 0, version: String(error) }));
    counts.requests += 1;
    const right = [...atStart, ...before, ...state.allowed];
    if (!right.includes(textOf(seen))) faults.push(`${name}: ${textOf(seen)} is not one of ${right.join(' ')}`);
  }
}
