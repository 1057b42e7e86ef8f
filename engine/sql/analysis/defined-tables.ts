import { tableName } from '../duckdb/ddl.js';
import { readTableColumns } from '../duckdb/table-columns.js';
import { parseStatement } from '../duckdb/translate.js';
import { type Fields, type Node, nameOf, parts } from '../reading/tree.js';
import { type TableFact, type TableFacts, valueTypeOf } from './table-facts.js';

/** Returns the facts about the tables that statements create. `translateDdl` must accept the statements. */
export function readDefinedTables(statements: readonly string[]): TableFacts {
  const nodes = statements.map(parseStatement);
  const keys = readKeys(nodes);
  const facts = new Map<string, TableFact>();
  for (const [table, columns] of readTableColumns(nodes)) {
    const isRequired = (name: string) => columns.get(name)?.isNullable === false;
    const known = [...columns].map(([name, { duckdbType, isNullable }]) => {
      return [name, { type: valueTypeOf(duckdbType), isNullable }] as const;
    });
    facts.set(table, { columns: new Map(known), keys: (keys.get(table) ?? []).filter((key) => key.every(isRequired)) });
  }
  return (table) => facts.get(table);
}

function readKeys(statements: readonly Node[]): ReadonlyMap<string, readonly (readonly string[])[]> {
  const keys = new Map<string, readonly (readonly string[])[]>();
  for (const { kind, fields } of statements) {
    // This replaces the keys of a table with the same name, because a later statement can drop a table and create it again.
    if (kind === 'create_table') keys.set(tableName(fields.name).toLowerCase(), keysOfTable(fields));
    if (kind === 'create_index' && fields.unique === true) {
      const table = tableName(fields.table).toLowerCase();
      keys.set(table, [...(keys.get(table) ?? []), namesOf(fields)]);
    }
  }
  return keys;
}

function keysOfTable(fields: Fields): string[][] {
  const ofColumns = parts(fields, 'columns')
    .filter((column) => column.primary_key === true || column.unique === true)
    .map(({ name }) => [nameOf(name).toLowerCase()]);
  const ofTable = parts(fields, 'constraints').flatMap((constraint) =>
    Object.entries(constraint as Record<string, Fields>).flatMap(([kind, detail]) =>
      kind === 'PrimaryKey' || kind === 'Unique' || detail.kind === 'UNIQUE' ? [namesOf(detail)] : [],
    ),
  );
  return [...ofColumns, ...ofTable].filter((key) => key.length > 0);
}

function namesOf(detail: Fields): string[] {
  return parts(detail, 'columns').map((column) => nameOf(column.column ?? column).toLowerCase());
}
