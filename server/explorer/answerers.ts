import type { StateStore } from '../../accounts/state-store.js';
import type { Database, Engine } from '../../engine/index.js';
import { combineAnswerers } from '../../explorer/answers/combine-answerers.js';
import type { Answerer } from '../../explorer/answers/proposal.js';
import { createCatalogue } from '../../explorer/catalogue/catalogue.js';
import type { GenerateQuestions } from '../../explorer/questions/generated-questions.js';
import type { Settings } from '../settings/settings.js';

export interface AnswererParts {
  readonly settings: Settings;
  readonly database: Database;
  readonly state: StateStore;
  readonly engine: Engine;
  readonly systemClock: () => Date;
}

export interface Answerers {
  readonly answerer: Answerer;
  readonly generateQuestions: GenerateQuestions;
}

/** Creates the catalogue, and the access to a language model if one is configured. */
export function createAnswerers({ database, engine }: AnswererParts): Answerers {
  const catalogue = createCatalogue({ endpoints: engine.endpoints, database });
  return {
    answerer: combineAnswerers(catalogue, undefined),
    generateQuestions: (count) => catalogue.suggestQuestions(count),
  };
}
