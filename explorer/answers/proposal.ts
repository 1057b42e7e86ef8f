import type { ChosenDefinition } from '../questions/question.js';

/** What an answerer returns about a question in addition to its query. */
export interface ProposalTexts {
  /** The question as it was understood. */
  readonly revisedTitle: string;
  /** What the question leaves open; empty if nothing. */
  readonly notClear: string;
  /** What the answer assumes; empty if nothing. */
  readonly assumption: string;
  /** `revisedTitle` with the assumption, as one sentence. */
  readonly combinedTitle: string;
  /** Follow-up questions. */
  readonly recommendedQuestions: readonly string[];
}

/** A definition answers the question. */
export interface DefinitionProposal extends ProposalTexts {
  readonly engine: 'catalogue';
  readonly definition: ChosenDefinition;
}

/** Untrusted SQL of a model answers the question. */
export interface SqlProposal extends ProposalTexts {
  readonly engine: 'model';
  readonly sql: string;
  /** The chart that the model proposes. It is not validated. */
  readonly chart: unknown;
  /** The text of the model. */
  readonly answer: string;
}

export type Proposal = DefinitionProposal | SqlProposal;

/** The repository that a question is about, if the caller states one. */
export interface QuestionContext {
  readonly repoId: number;
  readonly repoName: string;
}

export interface ProposeOptions {
  readonly context?: QuestionContext | undefined;
  readonly now: Date;
  readonly signal: AbortSignal;
}

/** Turns a question into a proposal. Throws `QuestionError`. */
export interface Answerer {
  propose(question: string, options: ProposeOptions): Promise<Proposal>;
  /**
   * Finds the definition that answers the question, without a model; undefined if no definition answers it. Absent if
   * every answer needs a model.
   */
  proposeDefinition?(question: string, options: ProposeOptions): Promise<DefinitionProposal | undefined>;
  /** Corrects SQL that the guard or the database rejected. Absent if the answerer writes no SQL. */
  repair?(question: string, rejected: SqlProposal, reason: string, options: ProposeOptions): Promise<SqlProposal>;
}
