import { QuestionError } from '../questions/error-types.js';
import type { Answerer, DefinitionProposal, ProposeOptions } from './proposal.js';

interface DefinitionAnswerer {
  propose(question: string, options: ProposeOptions): Promise<DefinitionProposal>;
}

/**
 * Asks the catalogue first, because its definitions are reviewed and tested, and cost no tokens. A model answers the questions that no
 * definition answers.
 */
export function combineAnswerers(catalogue: DefinitionAnswerer, model: Answerer | undefined): Answerer {
  return {
    propose: async (question, options) => {
      try {
        return await catalogue.propose(question, options);
      } catch (error) {
        if (!isNotAnswerable(error)) throw error;
        if (model === undefined) throw withHint(error);
        return await model.propose(question, options).catch((failure: unknown) => {
          throw withSuggestions(failure, error.details.recommendedQuestions);
        });
      }
    },
    proposeDefinition: async (question, options) => {
      try {
        return await catalogue.propose(question, options);
      } catch (error) {
        if (isNotAnswerable(error)) return undefined;
        throw error;
      }
    },
    ...(model?.repair && { repair: model.repair.bind(model) }),
  };
}

function isNotAnswerable(error: unknown): error is QuestionError {
  return error instanceof QuestionError && error.type === 'error-sql-can-not-answer';
}

function withHint(error: QuestionError): QuestionError {
  const message = `${error.message} Only questions that a definition answers can be answered, because no language model is configured.`;
  return new QuestionError(error.type, message, error.details);
}

/** If a failure of the model has no suggestions, adds those of the catalogue. */
function withSuggestions(failure: unknown, suggestions: readonly string[] = []): unknown {
  if (!(failure instanceof QuestionError) || (failure.details.recommendedQuestions ?? []).length > 0) return failure;
  return new QuestionError(failure.type, failure.message, { ...failure.details, recommendedQuestions: suggestions });
}
