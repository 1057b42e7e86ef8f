import type { BoundValue, ResultSet } from '../../interface/database.js';
import type { ErrorCode } from '../../interface/errors.js';
import type { CheckedBlocks } from './block-checksums.js';

/** Requests to a worker process. The worker handles one request at a time and sends one `Reply` for each. */
export interface Requests {
  /**
   * Copies a file. The worker does this, because the service would release its own lock on the database file by closing
   * the file after the copy.
   */
  copy: { readonly from: string; readonly to: string };
  /** Checks the blocks of a database file; `only` limits the check to some of them. */
  verify: { readonly file: string; readonly only: readonly number[] | undefined };
  /** Returns the number of rows of each table of a database file. */
  count: { readonly file: string };
  /** Removes everything from a database file except the columns and rows of these tables. */
  publish: { readonly file: string; readonly tables: readonly PublishedTable[]; readonly limits: WorkerLimits };
  /** Opens a database for the next queries. */
  open: { readonly from: OpenedFrom; readonly limits: WorkerLimits };
  query: {
    /** The SQL of the query, in the dialect of DuckDB. */
    readonly sql: string;
    readonly values: readonly BoundValue[];
    readonly maxRows: number;
    readonly timeoutMs: number;
  };
}

/** What a worker opens: the path of a copy, which contains only published tables, or files that it reads through views. */
export type OpenedFrom = string | PublishedViews;

/** Published tables whose rows are in a database file that no process changes, or in other files. */
export interface PublishedViews {
  /** The path of the database file; undefined if all tables are in other files. */
  readonly file: string | undefined;
  readonly tables: readonly PublishedTable[];
  /** The SELECTs of the tables in other files by name, and the files and folders that they read. */
  readonly selects: ReadonlyMap<string, string>;
  readonly paths: readonly string[];
}

/** The results that a worker process returns for the requests. */
export interface Results {
  copy: undefined;
  verify: CheckedBlocks;
  count: RowCounts;
  publish: undefined;
  open: undefined;
  query: ResultSet;
}

/** The number of rows of each table. */
export type RowCounts = readonly (readonly [table: string, rows: number])[];

export type RequestKind = keyof Requests;

/** A message to the worker. `interrupt` stops the running query and has no reply. */
export type Message = { [Kind in RequestKind]: { readonly kind: Kind; readonly request: Requests[Kind] } }[RequestKind];
export type Interrupt = { readonly kind: 'interrupt' };

export type Reply = ({ readonly result: Results[RequestKind] } | { readonly error: ReportedError }) & {
  /** The resident memory of the worker process after the request. */
  readonly residentBytes: number;
};

/** An error as it is sent between processes. The class of the error is lost. */
export interface ReportedError {
  /** The code of an `EngineError`; undefined for an error of DuckDB. */
  readonly code: ErrorCode | undefined;
  readonly message: string;
  /** The message of the cause, which is only for the log. */
  readonly cause?: string;
}

/** A table that queries may read. */
export interface PublishedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** A SELECT of the published rows, in the dialect of DuckDB; undefined for all rows. */
  readonly select: string | undefined;
}

/** Limits of one worker process. */
export interface WorkerLimits {
  /** The memory limit of DuckDB, such as `64MB`. A query that needs more memory fails; it never writes to a disk. */
  readonly memoryLimit: string;
  /** The process ends when it has more bytes of resident memory than this, because DuckDB does not count all memory. */
  readonly maxResidentBytes: number;
  /** A process that has more resident memory than this after a query is replaced by a new process. */
  readonly maxIdleBytes: number;
  /** The maximum bytes of a result. */
  readonly maxResultBytes: number;
}
