/** How a MySQL-protocol database is opened. */
export interface MysqlOptions {
  /** `mysql://user:password@host:port/database?ssl=true`; see `parseMysqlUrl`. */
  readonly url: string;
  /** Opens also with an account that may write; the session stays read only. */
  readonly allowWritingAccount?: boolean;
  /** For queries that nobody has looked at: every session may take little memory and disk. */
  readonly confined?: boolean;
  /** Connections that answer queries at the same time. Default 10. */
  readonly connections?: number;
  /** Prepared statements kept by each connection. Default 256. */
  readonly statements?: number;
  /** Queries that may wait for a connection. Default 256. */
  readonly maxWaiting?: number;
  /** Milliseconds a query may wait for a connection before it fails as busy. Default 5,000. */
  readonly maxWaitMs?: number;
  /** Milliseconds that connecting may take. Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** The most bytes of a result. Default 64 MB. */
  readonly maxResultBytes?: number;
  /** Milliseconds that `close` waits for running queries before it stops them. Default 5,000. */
  readonly closeGraceMs?: number;
}
