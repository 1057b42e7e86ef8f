import {
  cancelledError,
  type Database,
  type DataVersion,
  type DataVersions,
  singleFlight,
  type VersionState,
} from '../../engine/index.js';
import { changedTables, VersionListeners } from './version-listeners.js';
import { readVersions, type VersionChange } from './version-table.js';

/** A commit in progress. One of its methods must be called after the database has answered the COMMIT. */
export interface OpenCommit {
  succeed(): void;
  /** Reports that the COMMIT failed. The changes may still be stored, so the versions are read again. */
  fail(): void;
}

/**
 * The versions of the embedded database. Only this process can open the file, so only its own commits change the versions. The versions are
 * cached and not read again.
 */
export class EmbeddedVersions implements DataVersions {
  readonly #database: Database;
  readonly #listeners: VersionListeners;
  readonly #load = singleFlight(() => this.#read());
  #tables: ReadonlyMap<string, DataVersion> | undefined;
  /** The last known versions, to find the changes after the versions are read again. */
  #last: ReadonlyMap<string, DataVersion> | undefined;
  /** The number of commits in progress. */
  #open = 0;
  #ended = 0;
  #waiting: (() => void)[] = [];

  /** `onNotice` is called with a message for the operator if a listener fails. */
  constructor(database: Database, onNotice?: (message: string) => void) {
    this.#database = database;
    this.#listeners = new VersionListeners(onNotice);
  }

  get known(): VersionState | undefined {
    return this.#tables && { tables: this.#tables, confirmedAt: Date.now() };
  }

  recent(): VersionState | undefined {
    return this.known;
  }

  confirm(signal?: AbortSignal): Promise<VersionState> {
    return untilAborted(this.#confirm(), signal);
  }

  onChange(listener: (tables: ReadonlySet<string>) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Must be called before the COMMIT is sent, because queries may see the new rows before the COMMIT is answered. */
  begin(change: VersionChange): OpenCommit {
    this.#open += 1;
    return { succeed: () => this.#end(change), fail: () => this.#end(undefined) };
  }

  async #confirm(): Promise<VersionState> {
    for (;;) {
      if (this.#open > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      else if (this.known === undefined) await this.#load();
      else return this.known;
    }
  }

  #end(change: VersionChange | undefined): void {
    this.#open -= 1;
    this.#ended += 1;
    if (change === undefined) this.#tables = undefined;
    else if (this.#tables !== undefined) {
      const versions = [...change.tables].map((table) => [table, change.version] as const);
      this.#set(new Map([...this.#tables, ...versions]));
    }
    if (this.#open > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
    if (change === undefined) void this.#load().catch(() => undefined);
  }

  /** Reads the versions. Discards the read versions if a commit has begun or ended in the meantime. */
  async #read(): Promise<void> {
    const ended = this.#ended;
    const tables = await readVersions(this.#database, READ_MS);
    if (this.#open === 0 && this.#ended === ended) this.#set(tables);
  }

  #set(tables: ReadonlyMap<string, DataVersion>): void {
    const last = this.#last;
    this.#tables = tables;
    this.#last = tables;
    if (last !== undefined) this.#listeners.report(changedTables(last, tables));
  }
}

const READ_MS = 5_000;

/** Settles in the same way as `work`, but rejects with `query_cancelled` as soon as the signal is aborted. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(cancelledError());
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
