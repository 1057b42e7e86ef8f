import { type CompiledQuery, type Endpoint, EngineError, rawFromValues } from '../../engine/index.js';
import { guardSql, MAX_ROWS } from '../../engine/sql/guard/guard-sql.js';
import type { PublicTables } from '../../engine/sql/guard/public-table.js';
import { SqlRejectedError } from '../../engine/sql/guard/rejection.js';

/** The query of a definition, as an example for a model. */
export interface SqlExample {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** Questions that the definition answers. */
  readonly questions: readonly string[];
  /** Returns the query with the values of the definition's first example. */
  sql(now: Date): string;
}

export interface ExampleSources {
  readonly endpoints: readonly Endpoint[];
  /** Writes a query with its bound values as literals. */
  readonly toLiteralSql: (query: CompiledQuery) => string;
  readonly tables: PublicTables;
  /** Questions by definition name. Default: the questions in the definitions. */
  readonly questions?: ReadonlyMap<string, readonly string[]>;
}

/** Creates the examples of all definitions whose SQL the playground accepts. */
export function createExamples({ endpoints, toLiteralSql, tables, questions }: ExampleSources): SqlExample[] {
  return endpoints.flatMap(({ definition, parameters, readParameters, query }) => {
    const { name, summary, description = '', examples } = definition;
    try {
      const values = readParameters(rawFromValues(parameters, examples[0]?.params ?? {}));
      const sql = (now: Date) => withSmallLimit(toLiteralSql(query.compile(values, now)));
      guardSql(sql(ANY_TIME), tables);
      return [{ name, summary, description, questions: questions?.get(name) ?? definition.questions, sql }];
    } catch (error) {
      // The definition has no valid example, or reads a table that is not public.
      if (error instanceof EngineError || error instanceof SqlRejectedError) return [];
      throw error;
    }
  });
}

/** Reduces the LIMIT of the whole query, because definitions return more rows than the SQL of a model should. */
function withSmallLimit(sql: string): string {
  return sql.replace(/\bLIMIT (\d+)$/, (limit, rows: string) =>
    Number(rows) > MAX_ROWS ? `LIMIT ${MAX_ROWS}` : limit,
  );
}

/** An arbitrary time. Whether the guard accepts the SQL does not depend on the time in it. */
const ANY_TIME = new Date('2026-01-01T00:00:00Z');
