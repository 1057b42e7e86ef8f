import { didYouMean } from '../../engine/index.js';
import type { PublicTables } from '../../engine/sql/guard/public-table.js';
import type { TableReference } from './table-reference-entry.js';

export type TableReferences = ReadonlyMap<string, TableReference>;

/** A table in a list of tables. Unknown facts are null. */
export interface TableSummary {
  readonly name: string;
  readonly description: string;
  readonly grain: string | null;
  readonly events: readonly string[] | null;
  readonly since: string | null;
  readonly freshness: string | null;
}

/** A table with its columns. Only rows that match `condition` can be read; null means all rows. */
export interface TableDetails extends TableSummary {
  readonly condition: string | null;
  readonly example: string | null;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly unit: string | null;
    readonly description: string;
  }[];
}

/** Thrown if no public table has a name. The message contains the most similar name. */
export class UnknownTableError extends Error {
  override readonly name = 'UnknownTableError';

  constructor(table: string, known: readonly string[]) {
    super(`There is no public table ${table}${didYouMean(table, known)}.`);
  }
}

/** Finds a table by its name, case-insensitively. Throws `UnknownTableError`. */
export function findTable(reference: TableReferences, name: string): readonly [name: string, table: TableReference] {
  const key = name.toLowerCase();
  const table = reference.get(key);
  if (table === undefined) throw new UnknownTableError(name, [...reference.keys()]);
  return [key, table];
}

export function toTableSummary(key: string, table: TableReference): TableSummary {
  const { name = key, description, grain = null, events = null, since = null, freshness = null } = table;
  return { name, description, grain, events, since, freshness };
}

export function toTableDetails(name: string, table: TableReference): TableDetails {
  const columns = [...table.columns].map(([column, { type, unit = null, description }]) => {
    return { name: column, type, unit, description };
  });
  const { where: condition = null, example = null } = table;
  return { ...toTableSummary(name, table), condition, example, columns };
}

/** Returns the columns of a table that untrusted SQL or its row filter reads. */
export function readColumns({ columns, filterColumns = [] }: TableReference): readonly string[] {
  return [...new Set([...columns.keys(), ...filterColumns])];
}

/** Returns the columns and rows of the tables that untrusted SQL may read. */
export function publicTablesOf(reference: TableReferences): PublicTables {
  const tables = [...reference].map(([key, { name, columns, where, filterColumns }]) => {
    const table = {
      columns: [...columns.keys()],
      ...(name !== undefined && { name }),
      ...(where !== undefined && { where }),
      ...(filterColumns !== undefined && { isRestricted: true }),
    };
    return [key, table] as const;
  });
  return new Map(tables);
}
