import type { ChosenDefinition } from '../questions/question.js';

/** The texts of a proposal about a question. */
export interface ProposalTexts {
  /** The question as the answerer understood it. */
  readonly revisedTitle: string;
  /** What is ambiguous in the question; empty if nothing. */
  readonly notClear: string;
  /** What the answer assumes; empty if nothing. */
  readonly assumption: string;
  /** `revisedTitle` with the assumption, as one sentence. */
  readonly combinedTitle: string;
  /** Follow-up questions. */
  readonly recommendedQuestions: readonly string[];
}

/** The proposal to answer the question with a definition. */
export interface DefinitionProposal extends ProposalTexts {
  readonly engine: 'catalogue';
  readonly definition: ChosenDefinition;
}

/** The proposal to answer the question with SQL of a model, which is untrusted. */
export interface SqlProposal extends ProposalTexts {
  readonly engine: 'model';
  readonly sql: string;
  /** The chart that the model proposes. The chart is not validated. */
  readonly chart: unknown;
  /** The complete text of the model. */
  readonly answer: string;
}

export type Proposal = DefinitionProposal | SqlProposal;

/** The repository that a question is about, if the caller specifies one. */
export interface QuestionContext {
  readonly repoId: number;
  readonly repoName: string;
}

export interface ProposeOptions {
  readonly context?: QuestionContext | undefined;
  readonly now: Date;
  readonly signal: AbortSignal;
}

/** Creates a proposal for a question. Throws `QuestionError`. */
export interface Answerer {
  propose(question: string, options: ProposeOptions): Promise<Proposal>;
  /**
   * Finds the definition that answers the question, without using a model; undefined if no definition answers it. Absent if the answerer
   * always needs a model.
   */
  proposeDefinition?(question: string, options: ProposeOptions): Promise<DefinitionProposal | undefined>;
  /** Corrects SQL that the guard or the database rejected. Absent if the answerer writes no SQL. */
  repair?(question: string, rejected: SqlProposal, reason: string, options: ProposeOptions): Promise<SqlProposal>;
}
