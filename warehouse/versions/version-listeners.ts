import type { DataVersion } from '../../engine/index.js';

type Listener = (tables: ReadonlySet<string>) => void;
type Versions = ReadonlyMap<string, DataVersion>;

/** The listeners for changes of table versions. */
export class VersionListeners {
  readonly #listeners = new Set<Listener>();
  readonly #onNotice: ((message: string) => void) | undefined;

  /** `onNotice` is called with the errors of listeners. Without `onNotice`, an error of a listener ends the process. */
  constructor(onNotice: ((message: string) => void) | undefined) {
    this.#onNotice = onNotice;
  }

  get size(): number {
    return this.#listeners.size;
  }

  /** Adds a listener. The returned function removes the listener. */
  add(listener: Listener): () => void {
    // A function that is added twice must be called twice, so each call gets a separate entry.
    const own: Listener = (tables) => listener(tables);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Calls the listeners asynchronously, so that an error in a listener cannot affect the commit that changed the tables. */
  report(tables: ReadonlySet<string>): void {
    if (tables.size === 0) return;
    for (const listener of this.#listeners) queueMicrotask(() => this.#call(listener, tables));
  }

  #call(listener: Listener, tables: ReadonlySet<string>): void {
    try {
      listener(tables);
    } catch (error) {
      if (this.#onNotice === undefined) throw error;
      const reason = error instanceof Error ? error.stack : String(error);
      this.#onNotice(`Work after a change of the data failed: ${reason}`);
    }
  }
}

/** Returns the names of the tables whose versions differ. */
export function changedTables(before: Versions, after: Versions): ReadonlySet<string> {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return new Set(names.filter((name) => before.get(name) !== after.get(name)));
}
