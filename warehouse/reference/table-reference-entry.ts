/** A column for people who write SQL. */
export interface ColumnReference {
  /** The type in the MySQL dialect, as in `warehouse/migrations/`. */
  readonly type: string;
  readonly description: string;
  /** What a number counts or measures, for example `events` or `kilobytes`. Absent for ids, ranks, flags and texts. */
  readonly unit?: string;
}

/** A table for people who write SQL. Only tables of this program have all optional facts. */
export interface TableReference extends Partial<TableFacts> {
  readonly description: string;
  /** The public columns in their order. */
  readonly columns: ReadonlyMap<string, ColumnReference>;
  /** A condition in the MySQL dialect for the public rows. Without it, all rows are public. */
  readonly where?: string;
}

export interface TableFacts {
  /** What one row is, without an article: `event of the public feed`. */
  readonly grain: string;
  /** The types of the events from which the rows come. Empty: the rows come from no events. `*`: from events of every type. */
  readonly events: readonly string[];
  /** The time from which rows can exist, in one sentence. */
  readonly since: string;
  /** When the rows change, in one sentence. */
  readonly freshness: string;
  /** A SELECT in the MySQL dialect that the playground accepts. */
  readonly example: string;
}

/** All facts of a table without its columns. The lines of the example are indented by eight blanks. */
export type TableTexts = TableFacts & Pick<TableReference, 'description' | 'where'>;

/** Columns as data: the name, then the type, the description and the unit. */
export type ColumnTexts = Readonly<Record<string, readonly [type: string, description: string, unit?: string]>>;

export function describeTable(texts: TableTexts, columns: ColumnTexts): TableReference {
  const entries = Object.entries(columns).map(([name, [type, description, unit]]) => {
    return [name, { type, description, ...(unit !== undefined && { unit }) }] as const;
  });
  return { ...texts, example: texts.example.trim().replaceAll(/\n {8}/g, '\n'), columns: new Map(entries) };
}
