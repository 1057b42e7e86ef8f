import { type Fields, type Node, nameOf, part, parts } from '../reading/tree.js';
import { columnType, modifiedColumn, tableName } from './ddl.js';

/** A column as CREATE TABLE or ALTER TABLE defines it. */
export interface DefinedColumn {
  /** The MySQL type without its length. */
  readonly type: string;
  /** The DuckDB type. Types that queries cannot distinguish, such as all text types, have the same DuckDB type. */
  readonly duckdbType: string;
  readonly isNullable: boolean;
}

/** Columns by their names, by the name of the table. Names are in lower case, because databases ignore the case of names. */
export type TableColumns = ReadonlyMap<string, ReadonlyMap<string, DefinedColumn>>;

/** Returns the columns that exist after statements that `writeDdl` translates. */
export function readTableColumns(statements: readonly Node[]): TableColumns {
  const tables = new Map<string, Map<string, DefinedColumn>>();
  const columnsOf = (fields: Fields) => tables.get(tableName(fields.name).toLowerCase());
  for (const { kind, fields } of statements) {
    if (kind === 'create_table') {
      const columns = parts(fields, 'columns').map((column) => [keyOf(column), toDefinedColumn(column)] as const);
      tables.set(tableName(fields.name).toLowerCase(), new Map(columns));
    } else if (kind === 'alter_table') {
      for (const action of parts(fields, 'actions')) applyChange(columnsOf(fields), action);
    } else if (kind === 'drop_table') {
      for (const name of parts(fields, 'names')) tables.delete(tableName(name).toLowerCase());
    }
  }
  return tables;
}

/** Applies an action of ALTER TABLE. `writeDdl` rejects every other action. */
function applyChange(columns: Map<string, DefinedColumn> | undefined, action: Fields): void {
  const [added, dropped] = [part(action, 'AddColumn'), part(action, 'DropColumn')];
  const column = part(added ?? {}, 'column');
  if (column !== undefined) columns?.set(keyOf(column), toDefinedColumn(column));
  if (dropped !== undefined) columns?.delete(keyOf(dropped));
  // MODIFY COLUMN with a name and a type allows NULL.
  const name = modifiedColumn(action)?.toLowerCase() ?? '';
  const modified = columns?.get(name);
  if (modified !== undefined) columns?.set(name, { ...modified, isNullable: true });
}

function keyOf(named: Fields): string {
  return nameOf(named.name).toLowerCase();
}

function toDefinedColumn(column: Fields): DefinedColumn {
  const { data_type: kind, name } = column.data_type as { readonly data_type: string; readonly name?: string };
  const written = (kind === 'custom' ? (name ?? kind) : kind).replaceAll('_', '').toUpperCase();
  const type = column.unsigned === true ? `${written} UNSIGNED` : written;
  const isNullable = column.nullable !== false && column.primary_key !== true;
  return { type, duckdbType: columnType(column), isNullable };
}
