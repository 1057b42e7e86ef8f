/** The `file` of a database in memory, which ends with the process. */
export const IN_MEMORY = ':memory:';

/** Options of `openEmbedded`. */
export interface EmbeddedOptions {
  /** The path of the database file, or `IN_MEMORY`. A missing file is created; its folder must exist. */
  readonly file: string;
  /** The memory that all queries together may use, such as `1GB`. Queries that need more memory write to `tempDirectory`. */
  readonly memoryLimit: string;
  readonly threads: number;
  /**
   * The number of queries that run at the same time, each on its own connection. Each running query uses one thread of
   * the libuv thread pool.
   */
  readonly readers: number;
  /** The folder for intermediate results that do not fit into memory; without it, such queries fail. Each database uses a subfolder. */
  readonly tempDirectory?: string;
  /** The folder from which the writing connection may read files of imports. */
  readonly stagingDirectory?: string;
  /** The folder of the files of materialized tables. Without it, the database has no such tables. */
  readonly rollupFolder?: string | undefined;
  /** The files that views read, and folders of such files with `/` at the end. */
  readonly sourcePaths?: readonly string[];
  readonly access?: 'read_write' | 'read_only';
  /** The number of prepared statements that each reader caches. Default 256. */
  readonly statements?: number;
  /** The number of queries that may wait for a reader. Default 256. */
  readonly maxWaiting?: number;
  /** Milliseconds that a query may wait for a reader before it fails with `overloaded`. Default 5,000. */
  readonly maxWaitMs?: number;
  /** The maximum bytes of a result. Default 64 MB. */
  readonly maxResultBytes?: number;
  /** Milliseconds that `close` waits for running work before it interrupts it. Default 5,000. */
  readonly closeGraceMs?: number;
  /** Receives messages for the operator about the opened file. */
  readonly onNotice?: (message: string) => void;
}

/** Returns the megabytes of a size such as `1GB`; NaN if the text is not a size. The units KiB to TiB count as KB to TB. */
export function megabytesOf(size: string): number {
  const [, number = '', unit = ''] = /^([\d.]+)\s?([kmgt])/i.exec(size) ?? [];
  return Number(number) * (MEGABYTES[unit.toLowerCase()] ?? Number.NaN);
}

const MEGABYTES: Readonly<Record<string, number>> = { k: 0.001, m: 1, g: 1_000, t: 1_000_000 };
