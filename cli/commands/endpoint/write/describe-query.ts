import { columnNames, type TableMeanings } from '../../../../engine/authoring/index.js';
import {
  type Database,
  type DescribedColumn,
  formatProblem,
  nameHint,
  type Problem,
  type QueryLimits,
  rejectionReason,
} from '../../../../engine/index.js';

export interface DescribedQuery {
  /** The tables that the query reads, in lower case. */
  readonly read: ReadonlySet<string>;
  readonly tables: TableMeanings;
  readonly limits: QueryLimits;
  /** Creates a problem with a message. `reason` is the message of the database. */
  readonly problem: (message: string, reason: string) => Problem;
}

/** Describes the columns of a query. If the database rejects it, throws an error with the position and a suggestion. */
export async function describeQuery(
  database: Database,
  sql: string,
  { read, tables, limits, problem }: DescribedQuery,
): Promise<readonly DescribedColumn[]> {
  if (database.describe === undefined) throw new Error(`${database.name} cannot describe queries.`);
  try {
    return await database.describe(database.prepare(sql), limits);
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'EngineError') throw error;
    const reason = rejectionReason(error);
    const hint = nameHint(reason, read, columnNames(tables));
    throw new Error(formatProblem(problem(`the database cannot run this: ${reason}${hint}`, reason)));
  }
}
