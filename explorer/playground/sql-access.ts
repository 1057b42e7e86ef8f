import {
  type BoundValue,
  createRowFilters,
  type DefinitionScope,
  type Principal,
  type ProtectedDefinition,
  type RowFilters,
  requireAccess,
  restrictRows,
  type UnfilteredSql,
  withoutPublic,
} from '../../engine/index.js';
import { SqlRejectedError } from '../../engine/sql/guard/rejection.js';
import { UntranslatableSqlError } from '../../engine/sql/reading/untranslatable-sql-error.js';

/** Who can write SQL over published tables, and which of their rows each caller can read. */
export class SqlAccess {
  /** The rule for all ways to the tables. Any caller has access if it has no `access`. */
  readonly definition: ProtectedDefinition;
  readonly rowFilters: RowFilters | undefined;
  readonly #claims: NonNullable<DefinitionScope['claims']>;

  /** Throws an Error that names the table of a row filter that is not valid. */
  constructor(scope: Pick<DefinitionScope, 'access' | 'claims' | 'rowFilters'> = {}) {
    const { claims = {} } = scope;
    const access = withoutPublic(scope.access);
    this.definition = { name: undefined, tags: [], ...(access !== undefined && { access }) };
    this.rowFilters = createRowFilters(scope);
    this.#claims = claims;
  }

  /** Throws `credential_missing` or `access_denied` for a caller without access. */
  require(caller: Principal | undefined): void {
    requireAccess(this.definition, caller);
  }

  /**
   * Restricts a query of the guard to the rows of a caller. Throws `access_denied` if the caller does not
   * have a value of a row filter, and `SqlRejectedError` if not every reference to a table can be found.
   */
  restrict(
    query: UnfilteredSql,
    caller: Principal | undefined,
  ): { readonly sql: string; readonly values: readonly BoundValue[] } {
    if (this.rowFilters === undefined) return { sql: query.sql, values: [] };
    try {
      return restrictRows(this.rowFilters, query, caller, this.#claims);
    } catch (error) {
      throw error instanceof UntranslatableSqlError ? new SqlRejectedError(error.message, 0) : error;
    }
  }
}

/** Any caller can read all published rows. */
export const PUBLIC_SQL = new SqlAccess();
