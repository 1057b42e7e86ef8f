export interface ImportOptions {
  /** The folder from which the database may read files. The import uses a subfolder. */
  readonly stagingDirectory: string;
  /** The folder for downloads that are not imported yet. The next import continues interrupted downloads in this folder. */
  readonly downloadDirectory: string;
  /** The time of the import, for the ledger. */
  readonly now: Date;
  /** The base URL for hour ranges. Default: the public archive. */
  readonly archiveUrl?: string;
  /** The number of files that are downloaded or unpacked at the same time. Default 4. */
  readonly concurrency?: number;
  /** The maximum share of broken lines in a file, from 0 to 1. Default 0.02. */
  readonly brokenShare?: number;
  /** Whether already imported files are imported again and their rows are replaced. Default false. */
  readonly again?: boolean;
  /** Whether each file contains all events of the days from its first to its last event. Complete days have no gaps. Default false. */
  readonly complete?: boolean;
  /**
   * Whether each file is an hour of the archive. If so, a file fails if it is not gzip data, has no event, or has events of another hour
   * than its name, because it cannot be the complete hour. Default false.
   */
  readonly archiveHours?: boolean;
  /** The number of events after which a batch is committed, at the end of a file. Default: depends on the database. */
  readonly batchEvents?: number;
  /** Gzip files with more decompressed bytes are rejected. Default: 50 GB. */
  readonly maxUnpackedBytes?: number;
  readonly retries?: number;
  readonly retryWaitMs?: number;
  readonly stallMs?: number;
  readonly attemptMs?: number;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Stops the import after the current batch. Files that were read to their end are stored. */
  readonly signal?: AbortSignal;
}

export interface ImportProgress {
  /** The number of bytes read so far. For compressed files, compressed bytes are counted. */
  readonly bytes: number;
  /** The number of bytes of all files. For files that are not opened yet, it is estimated with the mean size of the other files. */
  readonly totalBytes: number;
  /** The number of events read so far. When a batch is committed, its duplicates are subtracted. */
  readonly events: number;
  readonly files: number;
  readonly totalFiles: number;
}
