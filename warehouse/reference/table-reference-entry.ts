/** A column for people who write SQL. */
export interface ColumnReference {
  /** The type in the MySQL dialect, as in `warehouse/migrations/`. */
  readonly type: string;
  readonly description: string;
}

/** A table for people who write SQL. */
export interface TableReference {
  readonly description: string;
  /** The public columns in their order. */
  readonly columns: ReadonlyMap<string, ColumnReference>;
  /** A condition in the MySQL dialect for the public rows. Without it, all rows are public. */
  readonly where?: string;
}

/** Columns as data: the name, then the type and the description. */
export type ColumnTexts = Readonly<Record<string, readonly [type: string, description: string]>>;

export function describeTable(description: string, columns: ColumnTexts, where?: string): TableReference {
  const entries = Object.entries(columns).map(([name, [type, text]]) => [name, { type, description: text }] as const);
  return { description, columns: new Map(entries), ...(where !== undefined && { where }) };
}
