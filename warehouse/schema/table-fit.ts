import type { Cell } from '../../engine/index.js';
import { readDefinedColumns } from '../../sql/duckdb/translate.js';

/** Somebody made or changed a table so that imports or answers would be wrong. */
export class UnfitTableError extends Error {
  override readonly name = 'UnfitTableError';
}

/**
 * Compares tables of a server with what statements of this program make. Columns of somebody else's beside ours are let be:
 * what is read and written names its columns.
 */
export class TableFit {
  readonly #expected: ReturnType<typeof readDefinedColumns>;

  constructor(statements: readonly string[]) {
    this.#expected = readDefinedColumns(statements);
  }

  get tables(): string[] {
    return [...this.#expected.keys()];
  }

  /** SELECT of the name, the table and the type of all columns of these tables, for `require`. */
  get select(): string {
    const names = this.tables.map((table) => `'${table}'`).join(', ');
    return `
      SELECT table_name, column_name, column_type FROM information_schema.columns
      WHERE table_schema = DATABASE() AND table_name IN (${names})`;
  }

  /** Throws `UnfitTableError` with what is missing or of another type. */
  require(rows: readonly (readonly Cell[])[]): void {
    const found = new Map(rows.map(([table, column, type]) => [`${table}.${column}`.toLowerCase(), String(type)]));
    const misfits = [...this.#expected].flatMap(([table, columns]) =>
      [...columns].flatMap(([column, { type, duckdbType }]) => {
        const name = `${table}.${column}`;
        const other = found.get(name);
        if (other === undefined) return [`${name} is missing`];
        return duckdbTypeOf(other) === duckdbType ? [] : [`${name} is ${other} in place of ${type}`];
      }),
    );
    if (misfits.length === 0) return;
    const shown = misfits.slice(0, SHOWN).join('; ');
    const more = misfits.length > SHOWN ? `; and ${misfits.length - SHOWN} more` : '';
    throw new UnfitTableError(
      `Tables of these names are not those of this program: ${shown}${more}. Rename them, or name another database.`,
    );
  }
}

const SHOWN = 10;

/** Undefined for a type that this program never uses. */
function duckdbTypeOf(type: string): string | undefined {
  try {
    return readDefinedColumns([`CREATE TABLE t (c ${type})`])
      .get('t')
      ?.get('c')?.duckdbType;
  } catch {
    return undefined;
  }
}
