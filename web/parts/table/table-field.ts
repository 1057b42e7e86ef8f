export interface TableField {
  readonly name: string;
  /** The SQL type, such as BIGINT. */
  readonly columnType: string;
  readonly description?: string;
}

/** The view that the reader chose: the sorted columns (`name`, or `-name` for descending, separated by commas), and the hidden columns. */
export interface TableView {
  readonly sort?: string;
  readonly hidden?: readonly string[];
}
