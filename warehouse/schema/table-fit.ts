import type { Cell } from '../../engine/index.js';
import { readDefinedColumns } from '../../engine/sql/duckdb/translate.js';

/** Thrown if another program has created or changed a table in such a way that imports or answers would be wrong. */
export class UnfitTableError extends Error {
  override readonly name = 'UnfitTableError';
}

/**
 * Compares tables of a server with the columns that the statements of this program create. Additional columns are allowed, because all
 * statements of this program list their columns.
 */
export class TableFit {
  readonly #expected: ReturnType<typeof readDefinedColumns>;

  constructor(statements: readonly string[]) {
    this.#expected = readDefinedColumns(statements);
  }

  get tables(): string[] {
    return [...this.#expected.keys()];
  }

  /** A SELECT of the table, name and type of all columns of these tables. The rows of the query are the argument of `require`. */
  get select(): string {
    const names = this.tables.map((table) => `'${table}'`).join(', ');
    return `
      SELECT table_name, column_name, column_type FROM information_schema.columns
      WHERE table_schema = DATABASE() AND table_name IN (${names})`;
  }

  /** Throws `UnfitTableError` if columns are missing or have another type. */
  require(rows: readonly (readonly Cell[])[]): void {
    const found = new Map(rows.map(([table, column, type]) => [`${table}.${column}`.toLowerCase(), String(type)]));
    const types = new Map([...new Set(found.values())].map((type) => [type, duckdbTypeOf(type)]));
    const misfits = [...this.#expected].flatMap(([table, columns]) =>
      [...columns].flatMap(([column, { type, duckdbType }]) => {
        const name = `${table}.${column}`;
        const other = found.get(name);
        if (other === undefined) return [`${name} is missing`];
        return types.get(other) === duckdbType ? [] : [`${name} is ${other}, expected ${type}`];
      }),
    );
    if (misfits.length === 0) return;
    const listed = misfits.slice(0, MAX_LISTED).join('; ');
    const more = misfits.length > MAX_LISTED ? `; and ${misfits.length - MAX_LISTED} more` : '';
    throw new UnfitTableError(
      `Existing tables do not have the columns of this program: ${listed}${more}. Rename them, or use another database.`,
    );
  }
}

const MAX_LISTED = 10;

/** Returns the type in DuckDB; undefined for a type that this program never uses. */
function duckdbTypeOf(type: string): string | undefined {
  try {
    return readDefinedColumns([`CREATE TABLE t (c ${type})`])
      .get('t')
      ?.get('c')?.duckdbType;
  } catch {
    return undefined;
  }
}
