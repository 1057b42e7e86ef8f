import type { BoundValue, ErrorCode, ResultSet } from '../../../engine/index.js';

/** Requests to a worker process, one at a time. Each gets one `Reply`. */
export interface Requests {
  /** Copies a file. It runs here because closing a database file would release the lock of the process that holds it. */
  copy: { readonly from: string; readonly to: string };
  /** Removes all tables, columns and rows from a database file but these. */
  publish: { readonly file: string; readonly tables: readonly PublishedTable[]; readonly limits: WorkerLimits };
  /** Opens a database file for the queries that follow. */
  open: { readonly file: string; readonly limits: WorkerLimits };
  query: {
    /** In DuckDB's dialect. */
    readonly sql: string;
    readonly values: readonly BoundValue[];
    readonly maxRows: number;
    readonly timeoutMs: number;
  };
}

/** Results of the requests. */
export interface Results {
  copy: undefined;
  publish: undefined;
  open: undefined;
  query: ResultSet;
}

export type RequestKind = keyof Requests;

/** A message to the worker. `interrupt` stops the query that runs, and has no reply of its own. */
export type Message = { [Kind in RequestKind]: { readonly kind: Kind; readonly request: Requests[Kind] } }[RequestKind];
export type Interrupt = { readonly kind: 'interrupt' };

export type Reply = ({ readonly result: Results[RequestKind] } | { readonly error: ReportedError }) & {
  /** Memory of the worker process after the request. */
  readonly residentBytes: number;
};

/** An error as it is sent between processes, where its class is lost. */
export interface ReportedError {
  /** Of an `EngineError`; undefined for an error of DuckDB. */
  readonly code: ErrorCode | undefined;
  readonly message: string;
}

/** A table that the queries may read. */
export interface PublishedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** Selects the published rows, in DuckDB's dialect; undefined for all rows. */
  readonly select: string | undefined;
}

/** Limits of one worker process. */
export interface WorkerLimits {
  /** DuckDB's own limit, such as `64MB`. Intermediate results beyond it fail; they never spill to a disk. */
  readonly memoryLimit: string;
  /** The process ends itself beyond this many bytes of resident memory, because DuckDB does not count all of it. */
  readonly maxResidentBytes: number;
  /** A process with more resident bytes after a query is replaced by a new one. */
  readonly maxIdleBytes: number;
  /** The most bytes of a result. */
  readonly maxResultBytes: number;
}
