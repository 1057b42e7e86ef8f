import type { StateStore } from '../../accounts/state-store.js';
import { type CurrentDefinitions, type Database, derive, type Endpoint, type Engine } from '../../engine/index.js';
import { combineAnswerers } from '../../explorer/answers/combine-answerers.js';
import { toLiteralSql } from '../../explorer/answers/literal-sql.js';
import type { ModelAnswerer } from '../../explorer/answers/model-answerer.js';
import { type Catalogue, createCatalogue } from '../../explorer/catalogue/catalogue.js';
import type { Vocabulary } from '../../explorer/catalogue/language/vocabulary.js';
import { createNamesLoader } from '../../explorer/catalogue/reading/catalogue-names.js';
import type { Model } from '../../explorer/model/model.js';
import { TokenBudget } from '../../explorer/model/token-budget.js';
import type { Prompts } from '../../explorer/prompts/prompts.js';
import type { GenerateQuestions } from '../../explorer/questions/generated-questions.js';
import { PUBLIC_TABLES } from '../../warehouse/public-tables.js';
import { TABLE_REFERENCE } from '../../warehouse/table-reference.js';
import { readVocabulary } from '../settings/read-vocabulary.js';
import type { Settings } from '../settings/settings.js';

export interface AnswererParts {
  readonly settings: Settings;
  readonly database: Database;
  readonly state: StateStore;
  readonly engine: Engine;
  readonly systemClock: () => Date;
  /** Called with the number of tokens of each answer of the model. */
  readonly onTokens?: (tokens: number) => void;
}

/** The ways to answer questions. The service uses `answerer`, which asks `catalogue` first and then `model`, if a model is configured. */
export interface Answerers {
  readonly answerer: ReturnType<typeof combineAnswerers>;
  readonly catalogue: Catalogue;
  readonly model: ModelAnswerer | undefined;
  readonly generateQuestions: GenerateQuestions;
}

/** Creates the catalogue, and the client of the language model if one is configured. */
export async function createAnswerers(parts: AnswererParts): Promise<Answerers> {
  const { database, engine } = parts;
  const catalogue = createCurrentCatalogue(engine, database, await readVocabulary(parts.settings));
  const model = await createConfiguredModel(parts);
  return {
    answerer: combineAnswerers(catalogue, model),
    catalogue,
    model,
    generateQuestions: (count, signal) =>
      model === undefined ? catalogue.suggestQuestions(count) : model.generateQuestions(count, signal),
  };
}

/** Creates a catalogue that is built again after each reload of the definitions. */
function createCurrentCatalogue(engine: CurrentDefinitions, database: Database, vocabulary: Vocabulary): Catalogue {
  const current = derive(engine, ({ endpoints }) => {
    // Answers to questions are stored and shared, so questions use public definitions only.
    const open = endpoints.filter(({ definition }) => definition.access === undefined);
    return createCatalogue({ endpoints: open, database, vocabulary });
  });
  return {
    propose: (question, options) => current().propose(question, options),
    suggestQuestions: (count) => current().suggestQuestions(count),
  };
}

async function createConfiguredModel({
  settings,
  database,
  state,
  engine,
  systemClock,
  onTokens = () => {},
}: AnswererParts): Promise<ModelAnswerer | undefined> {
  const { modelUrl: url, modelName: name, modelKey: key, modelTimeoutSeconds, modelTokensPerDay } = settings;
  if (url === undefined || name === undefined) return undefined;
  const { createModel } = await import('../../explorer/model/create-model.js');
  const { createModelAnswerer } = await import('../../explorer/answers/model-answerer.js');
  const writePrompts = await createPromptWriter(engine);
  const budget = new TokenBudget(state, { tokensPerDay: modelTokensPerDay, now: systemClock });
  const model = createModel({ url, name, key, budget, timeoutMs: modelTimeoutSeconds * 1_000 });
  const counted: Model = {
    name,
    ask: async (request) => {
      const answer = await model.ask(request);
      onTokens(answer.tokens);
      return answer;
    },
  };
  const readNames = createNamesLoader(database);
  const readRepositories = async () => (await readNames()).popular;
  return createModelAnswerer({ model: counted, prompts: writePrompts, now: systemClock, readRepositories });
}

/** Returns a function that returns the prompts, with examples from the current definitions. */
async function createPromptWriter(engine: CurrentDefinitions): Promise<() => Prompts> {
  const { createExamples } = await import('../../explorer/prompts/definition-examples.js');
  const { createPrompts } = await import('../../explorer/prompts/prompts.js');
  const [tables, reference] = [PUBLIC_TABLES, TABLE_REFERENCE];
  return derive(engine, ({ endpoints }) => {
    const examples = createExamples({ endpoints, toLiteralSql, tables, questions: questionsByName(endpoints) });
    return createPrompts({ tables, reference, examples });
  });
}

function questionsByName(endpoints: readonly Endpoint[]): ReadonlyMap<string, readonly string[]> {
  return new Map(endpoints.map(({ definition: { name, questions } }) => [name, questions]));
}
