/** Rows of the staging database that replace rows of a table. Columns that are missing in the new rows keep their values. */
export interface Replacement {
  readonly table: string;
  /** The table of the new rows. */
  readonly rows: string;
  readonly key: string;
  /** The columns that are updated in an existing row. */
  readonly changing: readonly string[];
  /** Columns of `changing` that rarely change. If none of them changes, only the other columns are written. */
  readonly rarelyChanging?: readonly string[];
}

/** The MERGE statement of DuckDB that updates existing rows and inserts new ones. */
export function replaceRowsSql({ table, rows, key, changing, rarelyChanging = [] }: Replacement): string {
  const set = (columns: readonly string[]) =>
    `THEN UPDATE SET ${columns.map((column) => `${column} = m.${column}`).join(', ')}`;
  const isSame = rarelyChanging.map((column) => `t.${column} IS NOT DISTINCT FROM m.${column}`).join(' AND ');
  const others = changing.filter((column) => !rarelyChanging.includes(column));
  return `
    MERGE INTO ${table} t USING ${rows} m ON t.${key} = m.${key}
    ${isSame === '' ? '' : `WHEN MATCHED AND ${isSame} ${set(others)}`}
    WHEN MATCHED ${set(changing)}
    WHEN NOT MATCHED THEN INSERT BY NAME`;
}
