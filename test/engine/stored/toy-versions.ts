import { type DataVersions, EngineError, type VersionState } from '../../../engine/index.js';

/** The versions of tables, under control of a test: it determines when they change and whether they can be read. */
export class ToyVersions implements DataVersions {
  /** Whether `recent` returns the known state. */
  isRecent = true;
  isUnavailable = false;
  confirmations = 0;
  known: VersionState | undefined;
  readonly #listeners = new Set<(tables: ReadonlySet<string>) => void>();
  #count = 0;
  /** Settles when the last transaction has ended. */
  #writing: Promise<void> = Promise.resolve();

  constructor(...tables: readonly string[]) {
    this.known = { tables: new Map(tables.map((table) => [table, '0.a'])), confirmedAt: 0 };
  }

  recent(): VersionState | undefined {
    return this.isRecent ? this.known : undefined;
  }

  async confirm(): Promise<VersionState> {
    this.confirmations += 1;
    for (let last: unknown; last !== this.#writing; ) {
      last = this.#writing;
      await last;
    }
    if (this.isUnavailable || this.known === undefined) throw new EngineError('database_unavailable', 'unavailable');
    return this.known;
  }

  onChange(listener: (tables: ReadonlySet<string>) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Runs a transaction that writes tables, after the previous transaction. */
  write(tables: readonly string[], work: () => Promise<unknown>): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      await work();
      this.change(...tables);
    });
    return this.#writing;
  }

  change(...tables: readonly string[]): void {
    this.#count += 1;
    const changed = tables.map((table) => [table, `${this.#count}.a`] as const);
    this.known = { tables: new Map([...(this.known?.tables ?? []), ...changed]), confirmedAt: this.#count };
    for (const listener of this.#listeners) listener(new Set(tables));
  }
}
