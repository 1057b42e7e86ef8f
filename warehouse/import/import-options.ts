export interface ImportOptions {
  /** The folder from which the database may read files. The import uses a subfolder. */
  readonly stagingDirectory: string;
  /** The folder of downloads that are not imported yet. The next import continues an interrupted download. */
  readonly downloadDirectory: string;
  /** The import time for the ledger. */
  readonly now: Date;
  /** The base URL for hour ranges. Default: the public archive. */
  readonly archiveUrl?: string;
  /** The number of files that are downloaded or unpacked at the same time. Default 4. */
  readonly concurrency?: number;
  /** The maximum share of broken lines in a file, from 0 to 1. Default 0.02. */
  readonly brokenShare?: number;
  /** Imports already imported files again and replaces their rows. Default false. */
  readonly again?: boolean;
  /** Each file has all events of the days from its first to its last event, so these days have no gaps. Default false. */
  readonly complete?: boolean;
  /**
   * Each file is an hour of the archive: a file that is not gzip data, has no event or has events of another hour than its name fails,
   * because it cannot be the complete hour. Default false.
   */
  readonly archiveHours?: boolean;
  /** The number of events after which a batch is committed, at the end of a file. Default: a value that suits the store. */
  readonly batchEvents?: number;
  /** A gzip file with more unpacked bytes is rejected. Default: 50 GB. */
  readonly maxUnpackedBytes?: number;
  readonly retries?: number;
  readonly retryWaitMs?: number;
  readonly stallMs?: number;
  readonly attemptMs?: number;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Stops after the current batch, which keeps the files that were read to their end. */
  readonly signal?: AbortSignal;
}

export interface ImportProgress {
  /** The bytes read so far. Compressed bytes count for compressed files. */
  readonly bytes: number;
  /** The bytes of all files. Files that were not opened yet count with the mean size of the others. */
  readonly totalBytes: number;
  /** The events read so far. Duplicates are subtracted when their batch is committed. */
  readonly events: number;
  readonly files: number;
  readonly totalFiles: number;
}
