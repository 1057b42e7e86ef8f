import { setMaxListeners } from 'node:events';
import type { StateStore } from '../accounts/state-store.js';
import { type Database, EngineError, limitSignal } from '../engine/index.js';
import { type AskRequest, askQuestion, type NewClaim, readTitle } from './questions/ask-question.js';
import { isFinal, type Question } from './questions/question.js';
import { QuestionStore } from './questions/question-store.js';
import { QuestionChanges } from './work/question-changes.js';
import { QuestionWorker, type WorkerParts } from './work/question-worker.js';
import { STAGES } from './work/work-queue.js';

export interface ExplorerParts extends Omit<WorkerParts, 'store' | 'changes'> {
  readonly database: Database;
  readonly state: StateStore;
  /** Whether no other process processes questions of this database. */
  readonly isOnlyProcess: boolean;
  /** Called with a question after this process has changed it. */
  readonly onChange?: ((question: Question) => void) | undefined;
}

/** A question and its position in its queue. */
export interface QuestionProgress {
  readonly question: Question;
  /** The number of questions before this one in the queue. */
  readonly queuePreceding: number;
}

/** Thrown if more callers follow questions than this process allows. */
export class TooManyFollowersError extends EngineError {
  constructor(message: string) {
    super('overloaded', message);
  }
}

/** Answers questions: stores them, processes them in the background and reports their progress. */
export class Explorer {
  readonly #parts: ExplorerParts;
  readonly #store: QuestionStore;
  readonly #changes: QuestionChanges;
  readonly #reads = new SharedReads((id) => this.#readNow(id));
  readonly #worker: QuestionWorker;
  readonly #closed = new AbortController();
  #renewals: NodeJS.Timeout | undefined;
  #sweeps: NodeJS.Timeout | undefined;
  #waiting = 0;
  /** The number of followers of each question. */
  readonly #followers = new Map<string, number>();

  constructor(parts: ExplorerParts) {
    this.#parts = parts;
    // Each follower adds a listener.
    setMaxListeners(0, this.#closed.signal);
    this.#changes = new QuestionChanges(parts.onChange);
    this.#store = new QuestionStore(parts.database, parts.state);
    this.#worker = new QuestionWorker({ ...parts, store: this.#store, changes: this.#changes });
  }

  /** The number of questions that this process is processing (`active`), and that were waiting at the last count. */
  get load(): { readonly active: number; readonly waiting: number } {
    return { active: this.#worker.claims().length, waiting: this.#waiting };
  }

  /** Starts processing questions. Questions that an earlier process has left unfinished come first. */
  async start(): Promise<void> {
    const { queue, isOnlyProcess } = this.#parts;
    await this.#sweep(isOnlyProcess);
    queue.start((stage) => this.#worker.work(stage));
    this.#renewals = setInterval(() => void this.#attempt(() => this.#worker.renew()), RENEW_MS);
    this.#sweeps = setInterval(() => void this.#sweep(false), SWEEP_MS);
  }

  /** Stores a question and returns it without waiting for its answer. Throws the errors of `askQuestion`. */
  async ask(request: AskRequest): Promise<Question> {
    const question = await this.#insert(request);
    if (!isFinal(question.status)) await this.#parts.queue.announce('prepare');
    return question;
  }

  /**
   * Stores a question, and answers it immediately if a definition matches and the process has capacity. Otherwise the question is queued.
   * Throws the errors of `askQuestion`.
   */
  async answer(request: AskRequest): Promise<Question> {
    const insert = (claim: NewClaim) => this.#insert({ ...request, claim });
    return (await this.#worker.answerAtOnce(readTitle(request.text), insert)) ?? this.ask(request);
  }

  async #insert(request: AskRequest): Promise<Question> {
    const question = await askQuestion(this.#parts, request);
    // The question was answered from the cache, with the answer to an equal question.
    if (isFinal(question.status)) this.#changes.announce(question);
    return question;
  }

  /** Reads a question. Concurrent calls for the same question share one database query, because many callers can follow it. */
  read(id: string): Promise<QuestionProgress | undefined> {
    return this.#reads.read(id);
  }

  /** Cancels a question of a user. Returns undefined if the user has no question with this id. */
  async cancel(id: string, userId: number): Promise<Question | undefined> {
    const question = await this.#store.cancel(id, userId, this.#parts.systemClock());
    if (question === undefined) return undefined;
    this.#worker.abort(id);
    this.#changes.announce(question);
    return question;
  }

  /**
   * Yields the question now and after each change. Ends when the question is final or does not exist, the signal aborts, or the explorer
   * closes. Throws `TooManyFollowersError`.
   */
  async *follow(id: string, caller: AbortSignal): AsyncGenerator<QuestionProgress> {
    this.#addFollower(id);
    const { signal, end } = limitSignal([caller, this.#closed.signal]);
    try {
      let last = '';
      for (;;) {
        const isLast = signal.aborted;
        // The listener is added before the read, so that no change in between is missed.
        const change = this.#changes.next(id, POLL_MS, signal);
        const progress = await this.read(id);
        if (progress !== undefined) {
          const state = `${progress.question.status} ${progress.queuePreceding} ${progress.question.querySQL}`;
          if (state !== last) yield progress;
          last = state;
          if (isFinal(progress.question.status)) return;
        } else if (!(await this.#store.isStored(id))) return;
        // The last read begins after all work has ended, so a question that has just ended is still reported.
        if (isLast) return;
        await change;
      }
    } finally {
      end();
      this.#removeFollower(id);
    }
  }

  #addFollower(id: string): void {
    const ofQuestion = this.#followers.get(id) ?? 0;
    const all = [...this.#followers.values()].reduce((sum, count) => sum + count, 0);
    if (ofQuestion >= FOLLOWERS_PER_QUESTION || all >= MAX_FOLLOWERS) {
      const [count, what] = ofQuestion >= FOLLOWERS_PER_QUESTION ? [ofQuestion, 'this question'] : [all, 'questions'];
      throw new TooManyFollowersError(`${count} callers already follow ${what}; read the question instead.`);
    }
    this.#followers.set(id, ofQuestion + 1);
  }

  #removeFollower(id: string): void {
    const left = (this.#followers.get(id) ?? 1) - 1;
    if (left === 0) this.#followers.delete(id);
    else this.#followers.set(id, left);
  }

  /** Waits up to `drainMs` for questions in progress, then aborts them and ends all followers. */
  async close(drainMs: number): Promise<void> {
    clearInterval(this.#sweeps);
    const stop = () => {
      this.#worker.stop();
      this.#closed.abort();
    };
    const timer = setTimeout(stop, drainMs);
    await Promise.all([this.#parts.queue.close(), this.#worker.close()]);
    clearTimeout(timer);
    // Leases are renewed until the work has ended, so that no other process takes over the questions.
    clearInterval(this.#renewals);
    this.#closed.abort();
  }

  async #readNow(id: string): Promise<QuestionProgress | undefined> {
    const stored = await this.#store.find(id);
    return stored && { question: stored.question, queuePreceding: await this.#store.countPreceding(stored) };
  }

  /** Continues questions of stopped workers, and finds queued questions whose announcements were lost. */
  #sweep(isOnlyProcess: boolean): Promise<void> {
    const { queue, systemClock } = this.#parts;
    return this.#attempt(async () => {
      const ownClaims = this.#worker.claims();
      const recovered = await this.#store.recover(systemClock(), { isOnlyProcess, ownClaims });
      for (const question of recovered) {
        this.#changes.announce(question);
        if (question.status === 'new') await queue.announce('prepare');
      }
      this.#waiting = await this.#expectWaiting();
    });
  }

  /** Announces the questions that wait in all stages to the queue of this process, and returns their number. */
  async #expectWaiting(): Promise<number> {
    let all = 0;
    for (const stage of STAGES) {
      const waiting = await this.#store.countWaiting(stage);
      this.#parts.queue.expect(stage, waiting);
      all += waiting;
    }
    return all;
  }

  #attempt(work: () => Promise<void>): Promise<void> {
    return work().catch((error: unknown) => this.#parts.onFailure(error, undefined));
  }
}

const RENEW_MS = 5_000;
const SWEEP_MS = 5_000;
/** The interval at which followers check for changes by other processes. */
const POLL_MS = 1_000;
const MAX_FOLLOWERS = 500;
/** Any caller can follow a question, so this limit keeps the followers of one question from using the whole limit. */
export const FOLLOWERS_PER_QUESTION = 20;

/**
 * Shares reads between concurrent callers. Calls for the same id share one read that begins after these calls, so no caller gets a value
 * that is older than its call. For each id, at most one read runs at a time.
 */
class SharedReads<Value> {
  readonly #read: (id: string) => Promise<Value>;
  readonly #running = new Map<string, Promise<Value>>();
  /** The next read for each id, which begins when the running read has ended. */
  readonly #next = new Map<string, Promise<Value>>();

  constructor(read: (id: string) => Promise<Value>) {
    this.#read = read;
  }

  read(id: string): Promise<Value> {
    const known = this.#next.get(id);
    if (known !== undefined) return known;
    const running = this.#running.get(id) ?? Promise.resolve();
    const begin = () => this.#begin(id);
    const next = running.then(begin, begin);
    this.#next.set(id, next);
    return next;
  }

  #begin(id: string): Promise<Value> {
    this.#next.delete(id);
    const running = this.#read(id).finally(() => {
      if (this.#running.get(id) === running) this.#running.delete(id);
    });
    this.#running.set(id, running);
    return running;
  }
}
