import { useQueries, useQuery } from '@tanstack/react-query';
import { type TableDetails, type TableSummary, tableQuery, tablesQuery } from '../../api/playground.js';

/** A table with its columns. The columns are absent while they are being loaded. */
export interface KnownTable extends TableSummary {
  readonly columns: readonly TableDetails['columns'][number][] | undefined;
  readonly example: string | null;
}

/** Loads the tables that SQL can read, and afterwards their columns. */
export function useTables() {
  const list = useQuery(tablesQuery);
  const details = useQueries({ queries: (list.data ?? []).map(({ name }) => tableQuery(name)) });
  const tables = list.data?.map(
    (table, index): KnownTable => ({ example: null, columns: undefined, ...details[index]?.data, ...table }),
  );
  return { tables, error: list.error, refetch: list.refetch };
}
