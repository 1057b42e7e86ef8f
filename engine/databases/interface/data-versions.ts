/**
 * The version of a table: the number of the last transaction that changed it, and a random text, such as `57.k3j9x2ab`.
 * The text makes versions unique even if a database is restored from a backup and uses the same numbers again.
 */
export type DataVersion = string;

/** The versions of all tables at one moment. */
export interface VersionState {
  /** The versions by table name in lower case. A change of any table creates a new map; otherwise the map object stays the same. */
  readonly tables: ReadonlyMap<string, DataVersion>;
  /** When these versions were last read, in milliseconds since 1970. */
  readonly confirmedAt: number;
}

/** The versions of the tables of a database. Every transaction of this program changes the versions of the tables that it writes. */
export interface DataVersions {
  /** The newest known state, without waiting; undefined if the versions have not been read yet. */
  readonly known: VersionState | undefined;
  /**
   * Returns the known state if it may be used for answers: it was confirmed less than the poll interval ago. Undefined
   * if a request must call `confirm`.
   */
  recent(): VersionState | undefined;
  /**
   * Resolves to a state that was read after this call, at a moment when no transaction was ending in this process.
   * Concurrent callers share one read. Rejects with `database_unavailable`, or at the deadline of the signal.
   */
  confirm(signal?: AbortSignal): Promise<VersionState>;
  /** Calls the listener with the names of the changed tables after each change. The returned function removes it. */
  onChange(listener: (tables: ReadonlySet<string>) => void): () => void;
}

const NO_STATE: VersionState = { tables: new Map(), confirmedAt: 0 };

/** The versions of tables that other programs write: these tables have none, so that answers state none. */
export const NO_VERSIONS: DataVersions = {
  known: NO_STATE,
  recent: () => NO_STATE,
  confirm: async () => NO_STATE,
  onChange: () => () => undefined,
};
