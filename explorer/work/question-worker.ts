import { randomUUID } from 'node:crypto';
import { limitSignal } from '../../engine/index.js';
import { type PreparedAnswer, type PrepareParts, prepareAnswer, prepareDefinition } from '../answers/prepare-answer.js';
import type { Proposal } from '../answers/proposal.js';
import { toQuestionError } from '../answers/question-failure.js';
import { type AnsweredQuestion, type RunParts, runAnswer } from '../answers/run-answer.js';
import type { NewClaim } from '../questions/ask-question.js';
import { QuestionError } from '../questions/error-types.js';
import { isFinal, type Question } from '../questions/question.js';
import { NO_DETAILS, NO_PROGRESS, type Stage } from '../questions/question-row.js';
import { type Claim, LostQuestionError, type QuestionStore } from '../questions/question-store.js';
import { hashText } from '../questions/question-text.js';
import { interruptedChange, type QuestionChange, WAITING_STATUS } from '../questions/write-question.js';
import type { QuestionChanges } from './question-changes.js';
import type { WorkQueue } from './work-queue.js';

export interface WorkerParts extends PrepareParts, RunParts {
  readonly store: QuestionStore;
  readonly queue: WorkQueue;
  readonly changes: QuestionChanges;
  /** The time limit for the preparation of one question, including all requests to the model. */
  readonly prepareMs: number;
  /** The clock for the data, which `NOW` can fix. */
  readonly clock: () => Date;
  readonly systemClock: () => Date;
  /** Called with the causes of failures that a question or a model can cause. */
  readonly onRejected: (cause: unknown, questionId: string) => void;
  /** Called with failures of the service. */
  readonly onFailure: (error: unknown, questionId: string | undefined) => void;
}

/** The lease of a claim. If the lease is not renewed within this time, other processes may take over the question. */
export const LEASE_MS = 20_000;

/** The maximum number of questions that a process answers at the same time without a queue. */
const MAX_AT_ONCE = 2;

/** Processes questions: prepares their queries and runs them. Each step is stored before the next one begins. */
export class QuestionWorker {
  readonly #parts: WorkerParts;
  readonly #active = new ActiveQuestions();
  readonly #counting = new Set<Promise<void>>();
  #isStopping = false;
  readonly #atOnce = new Set<Promise<unknown>>();

  constructor(parts: WorkerParts) {
    this.#parts = parts;
  }

  /** Processes the oldest question in the queue of a stage, if there is one. Never rejects. */
  async work(stage: Stage): Promise<void> {
    try {
      const { store, systemClock, changes } = this.#parts;
      const claim = await store.claimNext(stage, randomUUID(), systemClock(), LEASE_MS);
      if (claim === undefined) return;
      if (this.#isStopping) {
        await this.#change(claim, { status: WAITING_STATUS[stage], executedAt: null });
        return;
      }
      changes.announce(claim.question);
      const step = stage === 'prepare' ? this.#prepare : this.#run;
      await this.#workOn(claim, new AbortController(), (signal) => step.call(this, claim, signal));
    } catch (error) {
      this.#report(error, undefined);
    }
  }

  /**
   * Answers a question without queueing it if a definition matches. `insert` stores the question with the claim, while the query already
   * runs. If no definition matches, the question is queued. Returns undefined, without calling `insert`, if this worker already answers
   * `MAX_AT_ONCE` questions in this way.
   */
  async answerAtOnce(title: string, insert: (claim: NewClaim) => Promise<Question>): Promise<Question | undefined> {
    if (this.#isStopping || this.#atOnce.size >= MAX_AT_ONCE) return undefined;
    const work = this.#answerAtOnce(title, insert);
    const end = work.then(ignoreUntilAwaited, ignoreUntilAwaited);
    this.#atOnce.add(end);
    void end.finally(() => this.#atOnce.delete(end));
    return work;
  }

  async #answerAtOnce(title: string, insert: (claim: NewClaim) => Promise<Question>): Promise<Question> {
    const controller = new AbortController();
    try {
      const answer = this.#beginAnswer(title, controller.signal);
      answer.catch(ignoreUntilAwaited);
      const id = randomUUID();
      const question = await insert({ id, leaseMs: LEASE_MS });
      if (isFinal(question.status)) return question;
      const claim = { id, question, progress: NO_PROGRESS };
      return (await this.#workOn(claim, controller, () => this.#finishAnswer(claim, answer))) ?? claim.question;
    } finally {
      controller.abort();
    }
  }

  /** Extends the leases of the questions in progress, and stops processing questions that were cancelled or whose claim was lost. */
  async renew(): Promise<void> {
    const ids = this.claims();
    if (ids.length === 0) return;
    const owned = new Set(await this.#parts.store.renew(ids, LEASE_MS));
    this.#active.abortClaims(new Set(ids.filter((id) => !owned.has(id))));
  }

  /** Returns the ids of the claims to the questions in progress. */
  claims(): string[] {
    return this.#active.claims();
  }

  /** Stops processing a question, if this worker has it. */
  abort(questionId: string): void {
    this.#active.abort(questionId);
  }

  /** Stops processing all questions. Questions that are being prepared are queued again; questions with a running query fail. */
  stop(): void {
    this.#isStopping = true;
    this.#active.abortClaims(new Set(this.claims()));
  }

  /** Resolves when the questions that are answered without a queue have ended, and all answers are counted for the recommendations. */
  async close(): Promise<void> {
    await Promise.all(this.#atOnce);
    await Promise.all(this.#counting);
  }

  /** Processes a claimed question. Returns its final state; undefined if the state is not known. */
  async #workOn(
    claim: Claim,
    controller: AbortController,
    work: (signal: AbortSignal) => Promise<Question>,
  ): Promise<Question | undefined> {
    const remove = this.#active.add(claim, controller);
    try {
      return await work(controller.signal);
    } catch (error) {
      // Unless this worker is stopping, an aborted signal means that the question was cancelled or its claim was lost.
      if (controller.signal.aborted && !this.#isStopping) return undefined;
      return await this.#fail(claim, error).catch((failure: unknown) => this.#report(failure, claim.question.id));
    } finally {
      remove();
    }
  }

  /** Finds a definition that answers the question, and starts its query. */
  async #beginAnswer(title: string, signal: AbortSignal): Promise<BegunAnswer | undefined> {
    const { answerer, engine, clock } = this.#parts;
    const now = clock();
    const proposal = await answerer.proposeDefinition?.(title, { now, signal });
    if (proposal === undefined) return undefined;
    const members = { ...textsOf(proposal), ...queryOf(prepareDefinition(engine, proposal, now)) };
    const result = runAnswer(this.#parts, { ...NO_DETAILS, title, ...members }, null, signal);
    result.catch(ignoreUntilAwaited);
    return { members, result };
  }

  async #finishAnswer(claim: Claim, begun: Promise<BegunAnswer | undefined>): Promise<Question> {
    const answer = await begun;
    if (answer === undefined) {
      const waiting = { status: 'new', lane: null, requestedAt: null, executedAt: null } as const;
      const question = await this.#change(claim, waiting);
      await this.#parts.queue.announce('prepare');
      return question;
    }
    // The members of the answer are also stored if the query fails.
    claim.question = { ...claim.question, ...answer.members };
    return this.#finish(claim, await answer.result);
  }

  async #prepare(claim: Claim, signal: AbortSignal): Promise<Question> {
    const { clock, queue, prepareMs } = this.#parts;
    const limited = limitSignal([signal], prepareMs);
    const prepared = await prepareAnswer(this.#parts, claim.question.title, {
      now: clock(),
      signal: limited.signal,
      onProposal: async (proposal) => {
        if (proposal.engine === 'model') await this.#change(claim, { status: 'sql_validating', ...textsOf(proposal) });
      },
    }).finally(limited.end);
    const change = { status: 'waiting', ...textsOf(prepared.proposal), ...queryOf(prepared) } as const;
    const question = await this.#change(claim, change);
    await queue.announce(prepared.lane);
    return question;
  }

  async #run(claim: Claim, signal: AbortSignal): Promise<Question> {
    const { question, progress } = claim;
    return this.#finish(claim, await runAnswer(this.#parts, question, progress.proposedChart, signal));
  }

  async #finish(claim: Claim, answered: AnsweredQuestion): Promise<Question> {
    const question = await this.#change(claim, answered);
    if (question.status !== 'success') return question;
    // The caller gets the answer without waiting for the count.
    const counting = this.#parts.store
      .countAnswer(question)
      .catch((error: unknown) => this.#report(error, question.id));
    this.#counting.add(counting);
    void counting.finally(() => this.#counting.delete(counting));
    return question;
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
    if (this.#isStopping) return this.#change(claim, interruptedChange(claim.question));
    if (error instanceof QuestionError) {
      const { cause } = error.details;
      if (cause !== undefined) this.#parts.onRejected(cause, claim.question.id);
      return this.#change(claim, { status: 'error', ...failureOf(error) });
    }
    this.#report(error, claim.question.id);
    const message =
      'The service failed to answer this question. The log contains the cause under the id of the question.';
    return this.#change(claim, { status: 'error', errorType: 'error-unknown', error: message });
  }

  #report(error: unknown, id: string | undefined): undefined {
    if (!(error instanceof LostQuestionError)) this.#parts.onFailure(error, id);
  }
}

/**
 * The known members of a question that a definition answers, and its result. Both members and result exist before the question is stored.
 */
interface BegunAnswer {
  readonly members: Members;
  readonly result: Promise<AnsweredQuestion>;
}

/** The rejection handler of a promise that is awaited later. Without this handler, an unhandled rejection would end the process. */
function ignoreUntilAwaited(): void {}

interface ActiveWork {
  readonly claim: Claim;
  readonly controller: AbortController;
}

/** The questions that a worker is processing, with the controllers that stop the work. */
class ActiveQuestions {
  readonly #works = new Set<ActiveWork>();

  /** Adds a question. The returned function removes the question. */
  add(claim: Claim, controller: AbortController): () => void {
    // If this worker still processes an earlier claim to the same question, that claim was lost: its lease expired while the process was
    // suspended.
    this.abort(claim.question.id);
    const work = { claim, controller };
    this.#works.add(work);
    return () => this.#works.delete(work);
  }

  /** Returns the ids of the claims. */
  claims(): string[] {
    return [...this.#works].map(({ claim }) => claim.id);
  }

  abort(questionId: string): void {
    for (const { claim, controller } of this.#works) if (claim.question.id === questionId) controller.abort();
  }

  abortClaims(ids: ReadonlySet<string>): void {
    for (const { claim, controller } of this.#works) if (ids.has(claim.id)) controller.abort();
  }
}

/** The members of a question that one step sets. */
type Members = Partial<Omit<QuestionChange, 'status'>>;

/** Returns the members from the texts of a proposal. */
function textsOf(proposal: Proposal): Members {
  const { engine, revisedTitle, notClear, assumption, combinedTitle, recommendedQuestions } = proposal;
  const texts = { revisedTitle, notClear, assumption, combinedTitle, recommendedQuestions, engines: [engine] };
  if (proposal.engine === 'catalogue') return { ...texts, definition: proposal.definition };
  const { sql, answer, chart } = proposal;
  return { ...texts, querySQL: sql, queryHash: hashText(sql), answer, proposedChart: chart };
}

/** Returns the members for the query of a prepared answer. */
function queryOf({ sql, lane, plan }: PreparedAnswer): Members {
  return { sqlCanAnswer: true, querySQL: sql, queryHash: hashText(sql), lane, plan };
}

/** Returns the members for a failure. */
function failureOf({ type, message, details }: QuestionError): Members {
  const cannotAnswer = type === 'error-sql-can-not-answer' ? { sqlCanAnswer: false } : {};
  return { errorType: type, error: message, recommendedQuestions: details.recommendedQuestions ?? [], ...cannotAnswer };
}
