import type { ResultSink, ServerConnection } from './server-connection.js';

/** Receives the result of a statement that a reader runs. */
export interface RunningResult extends ResultSink {
  /** Called when no further rows are needed but the server still sends rows. */
  onEnough: () => void;
  start(connection: ServerConnection): void;
  /** Drops later rows. */
  fail(error: unknown): void;
  /** Called after the last row. */
  end(): void;
}
