import type { Answerer, DefinitionProposal, Proposal, SqlProposal } from '../../explorer/answers/proposal.js';
import { QuestionError } from '../../explorer/questions/error-types.js';
import type { ChosenDefinition } from '../../explorer/questions/question.js';

const TEXTS = { revisedTitle: '', notClear: '', assumption: '', combinedTitle: '', recommendedQuestions: [] };

export function chooses(name: string, parameters: ChosenDefinition['parameters'] = {}): DefinitionProposal {
  return { ...TEXTS, engine: 'catalogue', definition: { name, parameters } };
}

export function writes(sql: string): SqlProposal {
  return { ...TEXTS, engine: 'model', sql, chart: undefined, answer: '' };
}

export const DECLINES = new QuestionError('error-sql-can-not-answer', 'no definition answers this');

/** An answerer with one fixed proposal or error for each question. The answerer declines all other questions. */
export function fixedAnswerer(
  script: Readonly<Record<string, Proposal | Error>>,
  repaired?: SqlProposal | Error,
): Answerer & { readonly repairs: string[] } {
  const repairs: string[] = [];
  const give = async <T extends Proposal>(answer: T | Error): Promise<T> => {
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const answerer = { repairs, propose: (question: string) => give(script[question] ?? DECLINES) };
  if (repaired === undefined) return answerer;
  return {
    ...answerer,
    repair: (_question, _rejected, reason) => {
      repairs.push(reason);
      return give(repaired);
    },
  };
}
