import type { Answerer } from '../../explorer/answers/proposal.js';
import { createAnswerers } from '../../server/explorer/answerers.js';
import { READ_ONLY_STATE } from '../../server/github-operations.js';
import { readSettings } from '../../server/settings/read-settings.js';
import type { EngineName } from './evaluation-question.js';
import type { OpenEvaluation } from './open-evaluation.js';

/** An answerer, and a function that returns the number of tokens that its model has used. */
export interface EvaluatedAnswerer {
  readonly answerer: Answerer;
  readonly usedTokens?: () => number;
}

/**
 * Creates the answerer that the service uses. `environment` contains the settings of the model: `MODEL_URL`,
 * `MODEL_NAME` and `MODEL_KEY`.
 */
export async function createAnswerer(
  engineName: EngineName,
  { warehouse: { database, state = READ_ONLY_STATE }, engine, settings }: OpenEvaluation,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<EvaluatedAnswerer> {
  const ofModel = Object.entries(environment).filter(([name]) => name.startsWith('MODEL_'));
  const { modelUrl, modelName, modelKey, modelTimeoutSeconds } = readSettings(Object.fromEntries(ofModel));
  let tokens = 0;
  const { catalogue, model } = await createAnswerers({
    settings: { ...settings, modelUrl, modelName, modelKey, modelTimeoutSeconds, modelTokensPerDay: 0 },
    ...{ database, state, engine, systemClock: () => new Date() },
    onTokens: (used) => {
      tokens += used;
    },
  });
  if (engineName === 'catalogue') return { answerer: catalogue };
  if (model === undefined) throw new Error('No language model is configured: set MODEL_URL and MODEL_NAME.');
  return { answerer: model, usedTokens: () => tokens };
}
