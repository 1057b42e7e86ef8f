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
  /** Whether no other process works on the questions of this database. */
  readonly isOnlyProcess: boolean;
  /** Gets each question after a change by this process. */
  readonly onChange?: ((question: Question) => void) | undefined;
}

/** A question and its place in its queue. */
export interface QuestionProgress {
  readonly question: Question;
  /** The number of questions that are taken from the queue before this one. */
  readonly queuePreceding: number;
}

/** More callers follow questions than this process allows. */
export class TooManyFollowersError extends EngineError {
  constructor(message: string) {
    super('overloaded', message);
  }
}

/** Answers questions: stores them, works on them in the background and reports their progress. */
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

  /** The questions that this process works on, and those that waited when they were last counted. */
  get load(): { readonly active: number; readonly waiting: number } {
    return { active: this.#worker.claims().length, waiting: this.#waiting };
  }

  /** Begins to work on questions, first on those that an earlier process left. */
  async start(): Promise<void> {
    const { queue, isOnlyProcess } = this.#parts;
    await this.#sweep(isOnlyProcess);
    queue.start((stage) => this.#worker.work(stage));
    this.#renewals = setInterval(() => void this.#attempt(() => this.#worker.renew()), RENEW_MS);
    this.#sweeps = setInterval(() => void this.#sweep(false), SWEEP_MS);
  }

  /** Stores a question and returns it at once. Throws the errors of `askQuestion`. */
  async ask(request: AskRequest): Promise<Question> {
    const question = await this.#insert(request);
    if (!isFinal(question.status)) await this.#parts.queue.announce('prepare');
    return question;
  }

  /**
   * Stores a question and answers it at once if a definition answers it and the process has capacity. Otherwise the
   * question waits in its queue. Throws the errors of `askQuestion`.
   */
  async answer(request: AskRequest): Promise<Question> {
    const insert = (claim: NewClaim) => this.#insert({ ...request, claim });
    return (await this.#worker.answerAtOnce(readTitle(request.text), insert)) ?? this.ask(request);
  }

  async #insert(request: AskRequest): Promise<Question> {
    const question = await askQuestion(this.#parts, request);
    // The answer of an equal question was reused.
    if (isFinal(question.status)) this.#changes.announce(question);
    return question;
  }

  /** Calls for the same question share one read, because many callers can follow it. */
  read(id: string): Promise<QuestionProgress | undefined> {
    return this.#reads.read(id);
  }

  /** Cancels a question of a user; undefined if the user has no question with this id. */
  async cancel(id: string, userId: number): Promise<Question | undefined> {
    const question = await this.#store.cancel(id, userId, this.#parts.systemClock());
    if (question === undefined) return undefined;
    this.#worker.abort(id);
    this.#changes.announce(question);
    return question;
  }

  /**
   * Yields the question now and after each change, until it is final, the signal aborts, the explorer closes or the
   * question does not exist. Throws `TooManyFollowersError`.
   */
  async *follow(id: string, caller: AbortSignal): AsyncGenerator<QuestionProgress> {
    this.#addFollower(id);
    const { signal, end } = limitSignal([caller, this.#closed.signal]);
    try {
      let last = '';
      for (;;) {
        const isLast = signal.aborted;
        // Registered before the read, so that no change between both is missed.
        const change = this.#changes.next(id, POLL_MS, signal);
        const progress = await this.read(id);
        if (progress !== undefined) {
          const state = `${progress.question.status} ${progress.queuePreceding} ${progress.question.querySQL}`;
          if (state !== last) yield progress;
          last = state;
          if (isFinal(progress.question.status)) return;
        } else if (!(await this.#store.isStored(id))) return;
        // The last read begins after the end of all work, so that a question that ended before is reported.
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

  /** Waits up to `drainMs` for the work in progress, and then stops it and ends all followers. */
  async close(drainMs: number): Promise<void> {
    clearInterval(this.#sweeps);
    const stop = () => {
      this.#worker.stop();
      this.#closed.abort();
    };
    const timer = setTimeout(stop, drainMs);
    await Promise.all([this.#parts.queue.close(), this.#worker.close()]);
    clearTimeout(timer);
    // Leases are renewed until the work has ended, so that no other process takes the questions.
    clearInterval(this.#renewals);
    this.#closed.abort();
  }

  async #readNow(id: string): Promise<QuestionProgress | undefined> {
    const stored = await this.#store.find(id);
    return stored && { question: stored.question, queuePreceding: await this.#store.countPreceding(stored) };
  }

  /** Continues questions of stopped workers, and finds waiting questions whose announcements were lost. */
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

  /** Returns the number of questions that wait in all stages. */
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
/** The interval in which followers look for changes by other processes. */
const POLL_MS = 1_000;
const MAX_FOLLOWERS = 500;
/** Any caller can follow a question, so the followers of one question must not use up the places of all others. */
export const FOLLOWERS_PER_QUESTION = 20;

/**
 * Reads values that many callers want at the same time. Calls for an id share one read that begins after all of them,
 * so no caller gets a value that is older than its call. At most one read of an id runs at the same time.
 */
class SharedReads<Value> {
  readonly #read: (id: string) => Promise<Value>;
  readonly #running = new Map<string, Promise<Value>>();
  /** Reads that begin when the running read of their id has ended. */
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
