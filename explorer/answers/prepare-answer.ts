import { type Engine, EngineError } from '../../engine/index.js';
import { SqlRejectedError } from '../../engine/sql/guard/rejection.js';
import type { Playground } from '../playground/playground.js';
import { SqlFailedError } from '../playground/query-failure.js';
import { QuestionError } from '../questions/error-types.js';
import type { ChosenDefinition, Lane, Question } from '../questions/question.js';
import { toLiteralSql } from './literal-sql.js';
import type { Answerer, DefinitionProposal, Proposal, ProposeOptions, SqlProposal } from './proposal.js';

/** A proposal whose query can run. */
export interface PreparedAnswer {
  readonly proposal: Proposal;
  /** SQL in the MySQL dialect. For a definition, it contains the values as literals. */
  readonly sql: string;
  readonly lane: Lane;
  /** The query plan of SQL from a model; null for a definition. */
  readonly plan: Question['plan'];
}

export interface PrepareParts {
  readonly answerer: Answerer;
  readonly engine: Engine;
  readonly playground: Playground;
}

export interface PrepareOptions extends ProposeOptions {
  /** Called with each proposal before its validation. */
  readonly onProposal?: (proposal: Proposal) => Promise<void>;
}

/**
 * Finds the query for a question and validates it. If the guard or the database rejects SQL of a model, the model gets one chance to repair
 * it. Throws `QuestionError`.
 */
export async function prepareAnswer(
  { answerer, engine, playground }: PrepareParts,
  question: string,
  options: PrepareOptions,
): Promise<PreparedAnswer> {
  const proposal = await answerer.propose(question, options);
  await options.onProposal?.(proposal);
  if (proposal.engine === 'catalogue') return prepareDefinition(engine, proposal, options.now);
  const rejection = { reason: '' };
  const prepared = await validateSql(playground, proposal, options).catch((error: unknown) => {
    rejection.reason = reasonOf(error);
  });
  if (prepared) return prepared;
  if (answerer.repair === undefined) throw invalidSql(rejection.reason);
  const repaired = await answerer.repair(question, proposal, rejection.reason, options);
  await options.onProposal?.(repaired);
  return validateSql(playground, repaired, options).catch((error: unknown) => {
    throw invalidSql(reasonOf(error));
  });
}

/** Writes the query of a definition. A definition has limits, so its query always counts as cheap. */
export function prepareDefinition(engine: Engine, proposal: DefinitionProposal, now: Date): PreparedAnswer {
  return { proposal, sql: sqlOfDefinition(engine, proposal.definition, now), lane: 'cheap', plan: null };
}

function sqlOfDefinition(engine: Engine, { name, parameters }: ChosenDefinition, now: Date): string {
  const endpoint = engine.endpoint(name);
  const values = endpoint.readParameters({ path: {}, query: parameters });
  return withRowLimit(toLiteralSql(endpoint.query.compile(values, now)), endpoint.rowLimit(values));
}

/** Removes the additional row that the engine requests to detect further rows. */
function withRowLimit(sql: string, rows: number): string {
  return sql.replace(/\nLIMIT (\d+)(?= OFFSET \d+$|$)/, (clause, limit: string) =>
    Number(limit) === rows + 1 ? `\nLIMIT ${rows}` : clause,
  );
}

async function validateSql(
  playground: Playground,
  proposal: SqlProposal,
  { context, signal }: ProposeOptions,
): Promise<PreparedAnswer> {
  const ofRepository = context && ({ type: 'repo', id: context.repoId } as const);
  const { rows, lane } = await playground.plan(proposal.sql, { context: ofRepository, signal });
  return { proposal, sql: proposal.sql, lane, plan: rows };
}

/** Returns the reason why SQL was rejected. Throws errors that the SQL has not caused. */
function reasonOf(error: unknown): string {
  if (error instanceof SqlRejectedError || error instanceof SqlFailedError) return error.message;
  if (error instanceof EngineError && error.code === 'query_timeout') {
    throw new QuestionError('error-query-timeout', 'The database did not plan the query in time.', { cause: error });
  }
  throw error;
}

function invalidSql(reason: string): QuestionError {
  return new QuestionError('error-validate-sql', `The model wrote SQL that is not allowed or wrong: ${reason}`);
}
