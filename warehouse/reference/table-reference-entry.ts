/** The description of a column for authors of SQL. */
export interface ColumnReference {
  /** The type in the MySQL dialect, as in `warehouse/migrations/`. */
  readonly type: string;
  readonly description: string;
  /** What a number counts or measures, for example `events` or `kilobytes`. Absent for ids, ranks, flags and texts. */
  readonly unit?: string;
}

/** The description of a table for authors of SQL. Only tables of this program have all optional facts. */
export interface TableReference extends Partial<TableFacts> {
  /** The name in the database, if it differs from the name in lower case. */
  readonly name?: string;
  readonly description: string;
  /** The public columns, in the order of the table. */
  readonly columns: ReadonlyMap<string, ColumnReference>;
  /** A condition in the MySQL dialect for the public rows. Without a condition, all rows are public. */
  readonly where?: string;
  /** The columns that its row filter reads, with the names in the database. Absent: callers see the same rows. */
  readonly filterColumns?: readonly string[];
}

export interface TableFacts {
  /** What one row represents, without an article, such as `event of the public feed`. */
  readonly grain: string;
  /** The event types from which the rows are computed. `*` means all types. Empty: the rows are not computed from events. */
  readonly events: readonly string[];
  /** The earliest time of rows, as one sentence. */
  readonly since: string;
  /** When the rows change, as one sentence. */
  readonly freshness: string;
  /** A SELECT in the MySQL dialect that the playground accepts. */
  readonly example: string;
}

/** All facts of a table without its columns. In the source, the lines of the example are indented by eight spaces. */
export type TableTexts = TableFacts & Pick<TableReference, 'description' | 'where'>;

/** The columns of a table: name, then type, description and unit. */
export type ColumnTexts = Readonly<Record<string, readonly [type: string, description: string, unit?: string]>>;

export function describeTable(texts: TableTexts, columns: ColumnTexts): TableReference {
  const entries = Object.entries(columns).map(([name, [type, description, unit]]) => {
    return [name, { type, description, ...(unit !== undefined && { unit }) }] as const;
  });
  return { ...texts, example: texts.example.trim().replaceAll(/\n {8}/g, '\n'), columns: new Map(entries) };
}
