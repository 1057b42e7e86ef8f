export interface ImportOptions {
  /** The folder from which the database may read files. The import uses a folder of its own in it. */
  readonly stagingDirectory: string;
  /** Where downloads go until they are imported; a later import continues what a broken one left there. */
  readonly downloadDirectory: string;
  /** The time that the ledger notes. */
  readonly now: Date;
  /** Base URL of hour ranges. Default: the public archive. */
  readonly archiveUrl?: string;
  /** Files that are downloaded or unpacked at the same time. Default 4. */
  readonly concurrency?: number;
  /** Share of a file's lines, from 0 to 1, that may be broken. Default 0.02. */
  readonly brokenShare?: number;
  /** Imports files that were imported before once more and replaces their rows. Default false. */
  readonly again?: boolean;
  /** The files have every event of the days from their first to their last event, so that those days have no gaps. Default false. */
  readonly complete?: boolean;
  /** Events after which a batch is committed, at the end of a file. Default: what suits the store. */
  readonly batchEvents?: number;
  readonly retries?: number;
  readonly retryWaitMs?: number;
  readonly stallMs?: number;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Stops after the batch at hand, which keeps the files that were read to their end. */
  readonly signal?: AbortSignal;
}

export interface ImportProgress {
  /** Bytes read of files as they are, mostly compressed, and of all files so far as their sizes are known. */
  readonly bytes: number;
  readonly totalBytes: number;
  /** Events read; those that were there already are taken off when their batch is committed. */
  readonly events: number;
  readonly files: number;
  readonly totalFiles: number;
}
