import { randomUUID } from 'node:crypto';
import { type PreparedAnswer, type PrepareParts, prepareAnswer, prepareDefinition } from '../answers/prepare-answer.js';
import type { Proposal } from '../answers/proposal.js';
import { toQuestionError } from '../answers/question-failure.js';
import { type RunParts, runAnswer } from '../answers/run-answer.js';
import type { NewClaim } from '../questions/ask-question.js';
import { QuestionError } from '../questions/error-types.js';
import type { Question } from '../questions/question.js';
import { NO_PROGRESS, type Stage } from '../questions/question-row.js';
import { type Claim, LostQuestionError, type QuestionChange, type QuestionStore } from '../questions/question-store.js';
import { hashText } from '../questions/question-text.js';
import type { QuestionChanges } from './question-changes.js';
import type { WorkQueue } from './work-queue.js';

export interface WorkerParts extends PrepareParts, RunParts {
  readonly store: QuestionStore;
  readonly queue: WorkQueue;
  readonly changes: QuestionChanges;
  /** The time of the data, which `NOW` can fix. */
  readonly clock: () => Date;
  readonly systemClock: () => Date;
  /** Gets failures that the question does not report. */
  readonly onFailure: (error: unknown, questionId: string | undefined) => void;
}

/** How long other processes believe that a question is being worked on, without a sign of life. */
export const LEASE_MS = 30_000;
/** The time limit for the preparation of one question, including all requests to the model. */
const PREPARE_MS = 240_000;

/** How many questions a process answers without a queue at the same time. */
const MAX_AT_ONCE = 2;

/** Works on questions: prepares their queries and runs them. Every step is stored before the next one begins. */
export class QuestionWorker {
  readonly id = randomUUID();
  readonly #parts: WorkerParts;
  readonly #active = new Map<string, AbortController>();
  #isStopping = false;
  #atOnce = 0;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
  }

  /** Works on the question that waits longest in a stage, if one waits. Never rejects. */
  async work(stage: Stage): Promise<void> {
    try {
      const { store, systemClock, changes } = this.#parts;
      const claim = await store.claimNext(stage, this.id, systemClock(), LEASE_MS);
      if (claim === undefined) return;
      changes.announce(claim.question);
      await this.#workOn(claim, stage);
    } catch (error) {
      this.#parts.onFailure(error, undefined);
    }
  }

  /**
   * Finds the definition that answers a question and claims the question without a queue; undefined if no definition
   * answers it, or if this worker already answers `MAX_AT_ONCE` questions in this way.
   */
  async prepareAtOnce(title: string, signal: AbortSignal): Promise<NewClaim | undefined> {
    const { answerer, engine, clock } = this.#parts;
    if (this.#isStopping || this.#atOnce >= MAX_AT_ONCE) return undefined;
    const now = clock();
    const proposal = await answerer.proposeDefinition?.(title, { now, signal });
    if (proposal === undefined) return undefined;
    const { sql } = prepareDefinition(engine, proposal, now);
    const known = { ...textsOf(proposal), sqlCanAnswer: true, querySQL: sql, queryHash: hashText(sql) };
    return { worker: this.id, leaseMs: LEASE_MS, lane: 'cheap', known };
  }

  /**
   * Runs the query of a question that was claimed with `prepareAtOnce`. Returns the final question, or the unchanged one
   * if another process ended it or the result could not be stored.
   */
  async runAtOnce(question: Question): Promise<Question> {
    this.#atOnce += 1;
    try {
      return (await this.#workOn({ question, progress: NO_PROGRESS, worker: this.id }, 'cheap')) ?? question;
    } finally {
      this.#atOnce -= 1;
    }
  }

  /** Extends the leases of the questions in progress, and stops the work on questions that were lost or cancelled. */
  async renew(): Promise<void> {
    const ids = [...this.#active.keys()];
    if (ids.length === 0) return;
    const { store, systemClock } = this.#parts;
    const owned = new Set(await store.renew(this.id, ids, systemClock(), LEASE_MS));
    for (const id of ids) if (!owned.has(id)) this.#active.get(id)?.abort();
  }

  /** Stops the work on a question, if this worker has it. */
  abort(id: string): void {
    this.#active.get(id)?.abort();
  }

  /** Stops the work on all questions. Those that are being prepared wait again, those with a running query fail. */
  stop(): void {
    this.#isStopping = true;
    for (const controller of this.#active.values()) controller.abort();
  }

  /** Returns the question after the work; undefined if its state is not known. */
  async #workOn(claim: Claim, stage: Stage): Promise<Question | undefined> {
    const { id } = claim.question;
    const controller = new AbortController();
    this.#active.set(id, controller);
    try {
      return await (stage === 'prepare'
        ? this.#prepare(claim, controller.signal)
        : this.#run(claim, controller.signal));
    } catch (error) {
      return await this.#fail(claim, error).catch((failure: unknown) => this.#report(failure, id));
    } finally {
      this.#active.delete(id);
    }
  }

  async #prepare(claim: Claim, signal: AbortSignal): Promise<Question> {
    const { clock, queue } = this.#parts;
    const prepared = await prepareAnswer(this.#parts, claim.question.title, {
      now: clock(),
      signal: AbortSignal.any([signal, AbortSignal.timeout(PREPARE_MS)]),
      onProposal: async (proposal) => {
        if (proposal.engine === 'model') await this.#change(claim, { status: 'sql_validating', ...textsOf(proposal) });
      },
    });
    const change = { status: 'waiting', ...textsOf(prepared.proposal), ...queryOf(prepared) } as const;
    const question = await this.#change(claim, change);
    await queue.announce(prepared.lane);
    return question;
  }

  async #run(claim: Claim, signal: AbortSignal): Promise<Question> {
    const answered = await runAnswer(this.#parts, claim.question, claim.progress.proposedChart, signal);
    return this.#change(claim, { status: 'success', ...answered });
  }

  async #change(claim: Claim, change: QuestionChange): Promise<Question> {
    const { store, systemClock, changes } = this.#parts;
    const question = await store.change(claim, change, systemClock());
    changes.announce(question);
    return question;
  }

  async #fail(claim: Claim, thrown: unknown): Promise<Question | undefined> {
    const error = toQuestionError(thrown);
    if (error instanceof LostQuestionError) return undefined;
    const isPreparing = claim.question.status === 'answer_generating';
    if (this.#isStopping && isPreparing) return this.#change(claim, { status: 'new' });
    if (error instanceof QuestionError && !this.#isStopping) {
      const { recommendedQuestions = [], cause, result = null } = error.details;
      if (cause !== undefined) this.#report(cause, claim.question.id);
      const cannotAnswer = error.type === 'error-sql-can-not-answer' ? { sqlCanAnswer: false } : {};
      const reason = { errorType: error.type, error: error.message } as const;
      return this.#change(claim, { status: 'error', ...reason, ...cannotAnswer, recommendedQuestions, result });
    }
    if (!this.#isStopping) this.#report(error, claim.question.id);
    const message = this.#isStopping
      ? 'The service stopped while the query of this question ran. Ask the question again.'
      : 'The service failed to answer this question. The log contains the cause under the id of the question.';
    return this.#change(claim, { status: 'error', errorType: 'error-unknown', error: message });
  }

  #report(error: unknown, id: string): undefined {
    if (!(error instanceof LostQuestionError)) this.#parts.onFailure(error, id);
  }
}

function textsOf(proposal: Proposal): Partial<QuestionChange> {
  const { engine, revisedTitle, notClear, assumption, combinedTitle, recommendedQuestions } = proposal;
  const texts = { revisedTitle, notClear, assumption, combinedTitle, recommendedQuestions, engines: [engine] };
  if (proposal.engine === 'catalogue') return { ...texts, definition: proposal.definition };
  const { sql, answer, chart } = proposal;
  return { ...texts, querySQL: sql, queryHash: hashText(sql), answer, proposedChart: chart };
}

function queryOf({ sql, lane, plan }: PreparedAnswer): Partial<QuestionChange> {
  return { sqlCanAnswer: true, querySQL: sql, queryHash: hashText(sql), lane, plan };
}
