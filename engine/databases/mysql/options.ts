/** Options of `openMysql`. */
export interface MysqlOptions {
  /** The server: `mysql://user:password@host:port/database?ssl=true`; see `parseMysqlUrl`. */
  readonly url: string;
  /** Accepts an account that can write. Sessions are read-only even then. */
  readonly allowWritingAccount?: boolean;
  /** Limits the memory and disk of each session, for untrusted queries. */
  readonly isUntrusted?: boolean;
  /** The number of queries that run at the same time, each on its own connection. Default 10. */
  readonly connections?: number;
  /** The number of prepared statements that each connection caches. Default 256. */
  readonly statements?: number;
  /** The number of queries that may wait for a connection. Default 256. */
  readonly maxWaiting?: number;
  /** Milliseconds that a query may wait for a connection before it fails with `overloaded`. Default 5,000. */
  readonly maxWaitMs?: number;
  /** The time limit for opening a connection, in milliseconds. Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** The maximum bytes of a result. Default 64 MB. */
  readonly maxResultBytes?: number;
  /** Milliseconds that `close` waits for running queries before it stops them. Default 5,000. */
  readonly closeGraceMs?: number;
}
