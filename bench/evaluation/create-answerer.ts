import type { Answerer } from '../../explorer/answers/proposal.js';
import type { OpenEvaluation } from './open-evaluation.js';
import type { EngineName } from './score-question.js';

/** An answerer, with the tokens that its model has used. */
export interface EvaluatedAnswerer {
  readonly answerer: Answerer;
  readonly usedTokens?: () => number;
  close?(): Promise<void>;
}

/**
 * Creates the answerer that the service uses. `environment` contains the settings of the model: `MODEL_URL`,
 * `MODEL_NAME` and `MODEL_KEY`.
 */
export async function createAnswerer(
  engine: EngineName,
  _evaluation: OpenEvaluation,
  _environment: Readonly<Record<string, string | undefined>>,
): Promise<EvaluatedAnswerer> {
  throw new Error(`This version contains no answerer for the engine ${engine}.`);
}
