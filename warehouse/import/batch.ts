import { rm } from 'node:fs/promises';
import type { Store } from '../store/store.js';
import type { Chunk } from './files/chunks.js';
import type { LedgerFile } from './ledger.js';
import { type LoadOptions, loadStaged } from './load.js';
import type { BrokenLine, SourceChunk, Staging } from './staging/staging.js';
import type { FileOutcome } from './summary.js';

/** A file whose chunks go into a batch. */
export interface BatchFile {
  /** Number of the file in the import. */
  readonly file: number;
  readonly name: string;
  readonly source: string;
  readonly bytes: number;
}

export interface BatchLimits extends LoadOptions {
  /** Share of a file's lines, from 0 to 1, that may be broken. */
  readonly brokenShare: number;
}

interface ReadFile extends BatchFile {
  readonly digest: string;
}

/** Files that are loaded together, in one transaction, so that there are all of them or none. */
export class Batch {
  readonly #store: Store;
  readonly #staging: Staging;
  readonly #limits: BatchLimits;
  readonly #files: ReadFile[] = [];
  readonly #broken = new Map<number, BrokenLine[]>();
  readonly #rows = new Map<number, number>();
  #waiting: SourceChunk[] = [];

  constructor(store: Store, staging: Staging, limits: BatchLimits) {
    this.#store = store;
    this.#staging = staging;
    this.#limits = limits;
  }

  /** Events staged so far. */
  get events(): number {
    return [...this.#rows.values()].reduce((sum, rows) => sum + rows, 0);
  }

  async add(file: BatchFile, chunk: Chunk): Promise<void> {
    this.#waiting.push({ ...chunk, file: file.file });
    if (this.#waitingBytes() >= READ_BYTES) await this.#stage();
  }

  /** Whether the batch has that many events. */
  async hasEvents(events: number): Promise<boolean> {
    if (this.events + this.#waitingBytes() / SHORT_EVENT_BYTES < events) return false;
    await this.#stage();
    return this.events >= events;
  }

  /** The file was read to its end and is what it should be. */
  finish(file: BatchFile, digest: string): void {
    this.#files.push({ ...file, digest });
  }

  /** Nothing of the file shall stay. */
  async drop(file: BatchFile): Promise<void> {
    const mine = this.#waiting.filter((chunk) => chunk.file === file.file);
    this.#waiting = this.#waiting.filter((chunk) => chunk.file !== file.file);
    for (const chunk of mine) await rm(chunk.path, { force: true });
    if (this.#rows.delete(file.file)) await this.#staging.drop(file.file);
    this.#broken.delete(file.file);
  }

  /** Loads the finished files, except those with too many broken lines, and tells what became of each. */
  async load(): Promise<FileOutcome[]> {
    await this.#stage();
    const refused = this.#files.filter((file) => this.#isTooBroken(file));
    for (const file of refused) await this.#staging.drop(file.file);
    const accepted = this.#files.filter((file) => !refused.includes(file));
    const staged = accepted.map((file) => ({ ...file, broken: this.#brokenOf(file).length }));
    const loaded =
      staged.length === 0 ? [] : await this.#store.write((tables) => loadStaged(tables, staged, this.#limits));
    await this.#staging.clear();
    return this.#outcomes(new Map(accepted.map((file, index) => [file.file, loaded[index]])));
  }

  #outcomes(ledger: ReadonlyMap<number, LedgerFile | undefined>): FileOutcome[] {
    return this.#files.map((file) => {
      const broken = this.#brokenOf(file);
      const entry = ledger.get(file.file);
      const lines = broken.slice(0, SHOWN_LINES).map(({ line, reason }) => ({ line, reason }));
      const facts = {
        file: file.file,
        name: file.name,
        source: file.source,
        broken: broken.length,
        brokenLines: lines,
      };
      if (entry === undefined) return { ...facts, ...NOTHING, state: 'refused', message: this.#refusal(file) };
      const { events, alreadyThere, byType } = entry;
      return { ...facts, state: 'imported', events, alreadyThere, byType };
    });
  }

  #waitingBytes(): number {
    return this.#waiting.reduce((sum, chunk) => sum + chunk.bytes, 0);
  }

  async #stage(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const chunks = this.#waiting;
    this.#waiting = [];
    const { rows, broken } = await this.#staging.add(chunks);
    for (const [file, count] of rows) this.#rows.set(file, (this.#rows.get(file) ?? 0) + count);
    for (const line of broken) this.#broken.set(line.file, [...(this.#broken.get(line.file) ?? []), line]);
  }

  #isTooBroken(file: BatchFile): boolean {
    const broken = this.#brokenOf(file).length;
    return broken > this.#limits.brokenShare * (broken + (this.#rows.get(file.file) ?? 0));
  }

  #refusal(file: BatchFile): string {
    const broken = this.#brokenOf(file).length;
    const lines = broken + (this.#rows.get(file.file) ?? 0);
    const percent = (share: number) => `${Number((share * 100).toFixed(2))} %`;
    return (
      `${broken} of ${lines} lines are broken (${percent(broken / lines)}; at most ${percent(this.#limits.brokenShare)} ` +
      'may be), so nothing of the file was imported.'
    );
  }

  #brokenOf(file: BatchFile): readonly BrokenLine[] {
    return this.#broken.get(file.file) ?? [];
  }
}

const NOTHING = { events: 0, alreadyThere: 0, byType: {} };

/** Text that is read at a time: enough for every thread to have some. */
const READ_BYTES = 24 * 1024 * 1024;
/** Few events are shorter. */
const SHORT_EVENT_BYTES = 250;
const SHOWN_LINES = 5;
