import { DATA_TYPES } from '../../databases/interface/data-types.js';
import type { ResultSet } from '../../databases/interface/database.js';
import { createScalarWriter } from './cells.js';

/** A result without a definition, with the columns that the database reports. */
export interface ResultRows {
  readonly fields: readonly { readonly name: string; readonly columnType: string }[];
  readonly rows: readonly Readonly<Record<string, string | number | null>>[];
}

/**
 * Writes a result without a definition as objects of native JSON values. If two columns have the same name, the second
 * column is renamed to `name_2`, so that no cell is lost.
 */
export function writeResultRows({ columns, rows }: Pick<ResultSet, 'columns' | 'rows'>): ResultRows {
  const names = distinctNames(columns.map(({ name }) => name));
  const writers = columns.map(({ type }, index) => {
    const name = names[index] ?? '';
    const dataType = DATA_TYPES.find((known) => known === type) ?? 'VARCHAR';
    return { name, columnType: type, write: createScalarWriter({ col: name, data_type: dataType }) };
  });
  return {
    fields: writers.map(({ name, columnType }) => ({ name, columnType })),
    rows: rows.map((cells) =>
      Object.fromEntries(writers.map(({ name, write }, index) => [name, write(cells[index] ?? null)])),
    ),
  };
}

function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let number = 2; taken.has(free) || (free !== name && names.includes(free)); number++)
      free = `${name}_${number}`;
    taken.add(free);
    return free;
  });
}
