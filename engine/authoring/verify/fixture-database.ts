import type { BoundValue, Database } from '../../databases/interface/database.js';

/** What the cells of a column can contain. */
export type CellKind = 'integer' | 'decimal' | 'float' | 'text' | 'date' | 'datetime' | 'time';

/** A column of a table in which fixtures put rows. */
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
  /** In lower case. */
  readonly name: string;
  /** All columns, in the order of the cells. */
  readonly columns: readonly FixtureColumn[];
  readonly rows: readonly (readonly (BoundValue | undefined)[])[];
}

/** A throw-away database with the empty tables of the program. It shares nothing with the configured database. */
export interface FixtureDatabase {
  readonly database: Database;
  /** The columns of the tables of the program, by the name of the table in lower case. */
  readonly tables: ReadonlyMap<string, readonly FixtureColumn[]>;
  /** Puts rows into these tables, which can be tables of other programs. All other tables are then empty or absent. */
  fill(tables: readonly FixtureTable[]): Promise<void>;
  close(): Promise<void>;
}
