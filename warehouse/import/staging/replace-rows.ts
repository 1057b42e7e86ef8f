/** Rows of the workbench that are to be those of a table, whole but for the columns that nobody here knows of. */
export interface Replacement {
  readonly table: string;
  /** The rows as they will be. */
  readonly rows: string;
  readonly key: string;
  /** Columns that change in a row that is there. */
  readonly changing: readonly string[];
  /** Those of them that mostly stay: where all of these do, only the others are written. */
  readonly seldomChanging?: readonly string[];
}

/** The statement of DuckDB that changes the rows which are there and adds the others. */
export function replaceRows({ table, rows, key, changing, seldomChanging = [] }: Replacement): string {
  const set = (columns: readonly string[]) =>
    `THEN UPDATE SET ${columns.map((column) => `${column} = m.${column}`).join(', ')}`;
  const isSame = seldomChanging.map((column) => `t.${column} IS NOT DISTINCT FROM m.${column}`).join(' AND ');
  const others = changing.filter((column) => !seldomChanging.includes(column));
  return `
    MERGE INTO ${table} t USING ${rows} m ON t.${key} = m.${key}
    ${isSame === '' ? '' : `WHEN MATCHED AND ${isSame} ${set(others)}`}
    WHEN MATCHED ${set(changing)}
    WHEN NOT MATCHED THEN INSERT BY NAME`;
}
