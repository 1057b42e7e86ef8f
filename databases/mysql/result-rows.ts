import type { FieldPacket } from 'mysql2';
import type { Cell, ResultSet } from '../../engine/index.js';
import { tooLarge } from '../failures.js';
import { type RowReader, rowReader } from './connection/cells.js';
import type { ResultSink, ServerConnection } from './connection/server-connection.js';

/** Collects the rows of one result, within their limits. */
export class ResultRows implements ResultSink {
  readonly result: Promise<ResultSet>;
  /** Called when no more rows are wanted and more keep coming. */
  onEnough: () => void = () => {};
  #settle: (result: ResultSet) => void = () => {};
  #refuse: (error: unknown) => void = () => {};
  readonly #rows: Cell[][] = [];
  #reader: RowReader = { columns: [], read: (values) => values as Cell[] };
  #connection: ServerConnection | undefined;
  #bytesBefore = 0;
  #isEnough = false;
  #more = false;
  #bytesAtEnough = 0;
  #drain: NodeJS.Timeout | undefined;

  constructor(
    private readonly maxRows: number,
    private readonly maxBytes: number,
  ) {
    this.result = new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#refuse = reject;
    });
  }

  start(connection: ServerConnection): void {
    this.#connection = connection;
    this.#bytesBefore = connection.bytesRead;
  }

  columns(fields: readonly FieldPacket[]): void {
    this.#reader = rowReader(fields);
  }

  row(values: unknown[]): void {
    if (this.#isEnough) {
      if (this.#bytes() <= this.#bytesAtEnough + DRAIN_BYTES) return;
      this.finish();
      this.#connection?.destroy();
    } else if (this.#rows.length === this.maxRows) {
      this.#drop();
      this.#more = true;
      this.#drain = setTimeout(() => {
        this.finish();
        this.onEnough();
      }, DRAIN_MS);
    } else if (this.#bytes() > this.maxBytes) {
      this.fail(tooLarge(this.maxBytes));
      this.#connection?.destroy();
    } else {
      this.#rows.push(this.#reader.read(values));
    }
  }

  /** Gives the rows. */
  finish(): void {
    this.#settle({ columns: this.#reader.columns, rows: this.#rows, more: this.#more });
  }

  fail(error: unknown): void {
    this.#drop();
    this.#refuse(error);
  }

  /** Nothing more will come. */
  end(): void {
    clearTimeout(this.#drain);
  }

  #drop(): void {
    this.#isEnough = true;
    this.#bytesAtEnough = this.#bytes();
  }

  #bytes(): number {
    return (this.#connection?.bytesRead ?? 0) - this.#bytesBefore;
  }
}

/**
 * What is left of a result beyond `maxRows` is read and dropped within these bounds, to hear at its end whether the server
 * has cut anything. If more comes, the connection is cut, which ends the statement at its next row and costs less than
 * reading on; if it comes slowly, the statement is killed.
 */
const DRAIN_BYTES = 64 * 1024;
const DRAIN_MS = 20;
