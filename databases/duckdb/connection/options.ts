/** How an embedded database is opened. */
export interface EmbeddedOptions {
  /** Path of the database file, made when it is missing; its folder must exist. */
  readonly file: string;
  /** Such as `1GB`: what queries may use before they spill to `tempDirectory`. */
  readonly memoryLimit: string;
  readonly threads: number;
  /** Connections that answer queries at the same time. Each running query also takes one thread of libuv's pool. */
  readonly readers: number;
  readonly tempDirectory: string;
  /** The only folder from which the writing connection may read files. */
  readonly stagingDirectory?: string;
  readonly access?: 'read_write' | 'read_only';
  /** Prepared statements kept by each reader. Default 256. */
  readonly statements?: number;
  /** Queries that may wait for a reader. Default 256. */
  readonly maxWaiting?: number;
  /** Milliseconds a query may wait for a reader before it fails as busy. Default 5,000. */
  readonly maxWaitMs?: number;
  /** The most bytes of a result. Default 64 MB. */
  readonly maxResultBytes?: number;
  /** Milliseconds that `close` waits for running work before it interrupts it. Default 5,000. */
  readonly closeGraceMs?: number;
  /** Called with a message for the operator about the opened file. */
  readonly onNotice?: (message: string) => void;
}
