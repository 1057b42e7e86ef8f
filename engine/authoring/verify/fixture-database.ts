import type { BoundValue, Database } from '../../databases/interface/database.js';

/** What the cells of a column can contain. */
export type CellKind = 'integer' | 'decimal' | 'float' | 'text' | 'date' | 'datetime' | 'time';

/** A column of a table into which fixtures insert rows. */
export interface FixtureColumn {
  readonly name: string;
  readonly kind: CellKind;
  readonly nullable: boolean;
  /** The bounds of an integer. */
  readonly range?: readonly [minimum: bigint, maximum: bigint];
  /** The maximum numbers of digits of a decimal before and after the point. */
  readonly digits?: readonly [before: number, after: number];
}

/** A table with the rows of a fixture. `undefined` is a cell with the default of its column. */
export interface FixtureTable {
  /** The name in lower case. */
  readonly name: string;
  /** All columns, in the order of the cells. */
  readonly columns: readonly FixtureColumn[];
  readonly rows: readonly (readonly (BoundValue | undefined)[])[];
}

/** A temporary database with the empty tables of the program. It shares nothing with the configured database. */
export interface FixtureDatabase {
  readonly database: Database;
  /** The columns of the tables of the program, by the name of the table in lower case. */
  readonly tables: ReadonlyMap<string, readonly FixtureColumn[]>;
  /** Fills these tables with their rows. Tables of other programs are created; all other tables are emptied or removed. */
  fill(tables: readonly FixtureTable[]): Promise<void>;
  close(): Promise<void>;
}
