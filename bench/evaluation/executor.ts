import type { Cell, Engine } from '../../engine/index.js';
import type { DefinitionProposal, SqlProposal } from '../../explorer/answers/proposal.js';
import type { Playground } from '../../explorer/playground/playground.js';

/** The query of a proposal: a definition, or untrusted SQL. */
export type ProposedQuery = Pick<DefinitionProposal, 'engine' | 'definition'> | Pick<SqlProposal, 'engine' | 'sql'>;

export interface ExecutedResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Whether the query had more rows than the result. */
  readonly truncated: boolean;
}

/** Runs a query. Throws `SqlRejectedError`, `SqlFailedError` or `EngineError`. */
export type Execute = (query: ProposedQuery, signal: AbortSignal) => Promise<ExecutedResult>;

/** Runs definitions as the service does, and SQL through the guard and the limits of the playground. */
export function createExecutor(engine: Engine, playground: Playground): Execute {
  return async (query, signal) => {
    if (query.engine === 'model') {
      const { columns, rows, more } = await playground.run(query.sql, { signal });
      return { columns: columns.map(({ name }) => name), rows, truncated: more };
    }
    const { name, parameters } = query.definition;
    const raw = { path: {}, query: parameters };
    const { columns, rows, truncated } = await engine.run(engine.endpoint(name), raw, { signal });
    return { columns: columns.map((column) => column.name), rows, truncated };
  };
}
