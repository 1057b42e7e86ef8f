import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from '../../demo/world/random.js';
import type { DemoService } from '../service/demo-service.js';
import { eventually } from '../services/eventually.js';
import { type OwnFolder, type Seen, see, versionOf } from './own-folder.js';

export const EDITS = ['write', 'write in halves', 'rename', 'break', 'remove'] as const;
export type Edit = (typeof EDITS)[number];

const NAMES = ['ash', 'birch', 'cedar', 'elm', 'fir', 'oak'];
const CLIENTS = 4;

/** What a definition may currently answer. */
interface Expected {
  file: string;
  version: number;
  /** The accepted answers, as texts of `Seen`. There are several while an edit takes effect. */
  allowed: Set<string>;
}

/** Edits definitions of a service that watches their folder, while clients request them. */
export class EditsUnderLoad {
  readonly #demo: DemoService;
  readonly #own: OwnFolder;
  readonly #random: Random;
  readonly #states = new Map<string, Expected>();
  readonly #stop = new AbortController();
  #clients: Promise<void>[] = [];
  requests = 0;
  /** Answers that were wrong both by the state at the start of the request and by the state at its end. */
  readonly faults: string[] = [];

  constructor(demo: DemoService, own: OwnFolder, random: Random) {
    this.#demo = demo;
    this.#own = own;
    this.#random = random;
  }

  async start(): Promise<void> {
    for (const name of NAMES) {
      await this.#own.write(`${name}.yaml`, versionOf(name, 1));
      this.#states.set(name, { file: `${name}.yaml`, version: 1, allowed: new Set([textOf(served(1))]) });
    }
    await this.#demo.service.definitions.reload();
    this.#clients = Array.from({ length: CLIENTS }, () => this.#load());
  }

  /** Stops the clients. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#clients);
  }

  /** Edits one file, and waits until the service serves the result. If a definition is not served, it is written again. */
  async edit(kind: Edit): Promise<void> {
    const [own, random] = [this.#own, this.#random];
    const [name, state] = random.pick([...this.#states]);
    const { file, version } = state;
    const [next, outdated] = [version + 1, { ...served(version), isOutdated: true }];
    const good = versionOf(name, next);
    const becomes = async (seen: Seen, change: () => Promise<void>, meanwhile: readonly Seen[] = []) => {
      state.allowed = new Set([...state.allowed, ...[seen, ...meanwhile].map(textOf)]);
      await change();
      await eventually(async () => textOf(await see(this.#demo.service.url, pathOf(name))) === textOf(seen));
      state.allowed = new Set([textOf(seen)]);
    };
    const isServed = !state.allowed.has(textOf({ status: 404 }));
    // A file that is removed while the service lists the folder cannot be read. If so, the last good version is served until the next poll.
    if (isServed && kind === 'remove') return becomes({ status: 404 }, () => own.remove(file), [outdated]);
    if (isServed && kind === 'break') return becomes(outdated, () => own.write(file, random.pick(BREAKS)(good)));
    state.version = next;
    if (isServed && kind === 'rename') {
      state.file = file.endsWith('.yaml') ? `sub-${name}.yml` : `${name}.yaml`;
      const moved = async () => {
        await rename(join(own.path, file), join(own.path, state.file));
        await own.write(state.file, good);
      };
      // While the file is being written, it is empty for a moment.
      return becomes(served(next), moved, [outdated]);
    }
    if (isServed && kind === 'write in halves') {
      const halves = async () => {
        await own.write(file, good.slice(0, random.below(good.length)));
        const until = this.requests + random.below(MAX_BETWEEN);
        await eventually(() => this.requests >= until);
        await own.write(file, good);
      };
      return becomes(served(next), halves, [outdated]);
    }
    return becomes(served(next), () => own.write(file, good), isServed ? [outdated] : [{ status: 503 }]);
  }

  /** Requests all definitions again and again. An answer must be correct for the state at the start or at the end of its request. */
  async #load(): Promise<void> {
    for (let turn = 0; !this.#stop.signal.aborted; turn += 1) {
      const [name, state] = [...this.#states][turn % this.#states.size] as [string, Expected];
      const before = state.allowed;
      const atStart = [...before];
      const seen = await see(this.#demo.service.url, pathOf(name)).catch((error: unknown) => ({
        status: 0,
        version: String(error),
      }));
      this.requests += 1;
      const right = [...atStart, ...before, ...state.allowed];
      if (!right.includes(textOf(seen))) this.faults.push(`${name}: ${textOf(seen)} is not one of ${right.join(' ')}`);
    }
  }
}

/** The maximum number of requests between writing the two halves of a file. */
const MAX_BETWEEN = 100;

/** Edits that make a definition invalid. */
const BREAKS: readonly ((good: string) => string)[] = [
  () => '',
  (good) => good.slice(0, good.indexOf('sql:')),
  (good) => `${good}\n[`,
  (good) => good.replace('SELECT', 'SELEC'),
  (good) => good.replace('AS again', 'AS other'),
  (good) => good.replace('(SELECT 1 AS n) one', 'no_such_table'),
  () => '\0\u0001',
];

function pathOf(name: string): string {
  return `/v1/live/${name}/`;
}

function served(version: number): Seen {
  return { status: 200, version: String(version), isOutdated: false };
}

function textOf(seen: Seen): string {
  return JSON.stringify(seen);
}
