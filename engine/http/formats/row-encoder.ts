import type { Cell } from '../../databases/interface/database.js';
import type { AnswerFacts } from './answer-facts.js';

export type Rows = readonly (readonly Cell[])[];

/** Writes the rows of one answer in their order. Text is in UTF-8. */
export interface RowEncoder {
  /** Returns the text or bytes before the first row. */
  start(): string | Buffer;
  /** Encodes a batch of rows. Throws a `TypeError` if a cell does not fit the declared type of its column. */
  rows(rows: Rows): string | Buffer;
  /** Returns the text or bytes after the last row. */
  end(facts: AnswerFacts): string | Buffer;
}
