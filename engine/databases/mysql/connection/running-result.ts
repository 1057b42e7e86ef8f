import type { ResultSink, ServerConnection } from './server-connection.js';

/** Receives the result of a statement that a reader runs. */
export interface RunningResult extends ResultSink {
  /** The reader sets this function. The function is called when no further rows are needed but the server still sends rows. */
  onEnough: () => void;
  start(connection: ServerConnection): void;
  /** Ends the result with an error. Later rows are dropped. */
  fail(error: unknown): void;
  /** Called after the last row. */
  end(): void;
}
