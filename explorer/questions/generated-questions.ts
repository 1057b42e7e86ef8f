import { randomUUID } from 'node:crypto';
import { writeAuditEntry } from '../../accounts/audit-log.js';
import { readStateRows } from '../../accounts/state-reads.js';
import type { StateStore, StateTables } from '../../accounts/state-store.js';
import { type Database, EngineError, sqlTime } from '../../engine/index.js';
import { runWithin } from './bounded-work.js';
import { QuestionError } from './error-types.js';
import { foldQuestion, hashText, MAX_QUESTION_LENGTH } from './question-text.js';
import type { RecommendedQuestion } from './recommendations.js';

/** Generates about `n` questions that users may want to ask. May return more, or some that are not usable. */
export type GenerateQuestions = (n: number, signal: AbortSignal) => Promise<readonly string[]>;

/** Thrown if another refresh is running, in this process or another one. */
export class RefreshRunningError extends Error {
  override readonly name = 'RefreshRunningError';

  constructor(readonly retryAfterSeconds: number) {
    super(`Another refresh is running; it ends within ${retryAfterSeconds} s.`);
  }
}

export interface RefreshLimits {
  /** The number of questions per batch. */
  readonly count: number;
  readonly timeoutMs: number;
}

/** The questions that the service generates as suggestions. A refresh replaces all of them. */
export class GeneratedQuestions {
  readonly #database: Database;
  readonly #state: StateStore;
  readonly #generate: GenerateQuestions;
  readonly #limits: RefreshLimits;

  constructor(database: Database, state: StateStore, generate: GenerateQuestions, limits: Partial<RefreshLimits> = {}) {
    this.#database = database;
    this.#state = state;
    this.#generate = generate;
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Lists the first `n` questions, in the order in which they were generated. */
  async list(n: number): Promise<RecommendedQuestion[]> {
    const rows = await readStateRows(this.#database, 'SELECT title FROM explorer_generated_questions ORDER BY place');
    return rows.slice(0, n).map(([title]) => toRecommended(String(title)));
  }

  /**
   * Replaces all generated questions by new ones. On failure, the earlier questions are kept. Throws `RefreshRunningError`, `QuestionError`
   * if there are too few new questions or they take too long, and the errors of the database.
   */
  async refresh(userId: number, now: Date, signal: AbortSignal): Promise<RecommendedQuestion[]> {
    const lease = await this.#begin(now);
    try {
      const titles = await this.#createTitles(signal);
      await this.#state.transaction(async (tables) => {
        if ((await readLease(tables)) !== lease) throw tooSlow(this.#limits);
        await replaceAll(tables, titles, now);
        await tables.run(SET_LEASE, [LEASE, 0]);
        const change = { action: 'refresh-questions', subject: 'generated questions', detail: String(titles.length) };
        await writeAuditEntry(tables, { at: now, actor: `user ${userId}`, ...change });
      });
      return titles.map(toRecommended);
    } catch (error) {
      // If the lease cannot be deleted, it expires soon after the time limit. The first error is more important.
      await this.#end(lease).catch(() => undefined);
      throw error;
    }
  }

  /** Acquires the lease. It expires, so that a process that ends during a refresh does not block later refreshes. */
  #begin(now: Date): Promise<number> {
    return this.#state.transaction(async (tables) => {
      const until = await readLease(tables);
      if (until !== undefined && until > now.getTime()) {
        throw new RefreshRunningError(Math.ceil((until - now.getTime()) / 1_000));
      }
      const lease = now.getTime() + this.#limits.timeoutMs + STORE_MS;
      await tables.run(until === undefined ? INSERT_LEASE : SET_LEASE, [LEASE, lease]);
      return lease;
    });
  }

  #end(lease: number): Promise<number> {
    return this.#state.transaction((tables) =>
      tables.run('UPDATE sys_counters SET value = 0 WHERE name = :p1 AND value = :p2', [LEASE, lease]),
    );
  }

  async #createTitles(signal: AbortSignal): Promise<string[]> {
    const { count, timeoutMs } = this.#limits;
    const generating = runWithin({ timeoutMs, signal }, (stop) => this.#generate(count, stop));
    const texts = await generating.catch((error: unknown) => {
      throw isTimeout(error) ? tooSlow(this.#limits) : error;
    });
    const usable = texts.map(foldQuestion).filter(isUsable);
    const titles = [...new Set(usable)].slice(0, count);
    const least = Math.min(count, MIN_COUNT);
    if (titles.length >= least) return titles;
    const message = `Expected at least ${least} different new questions, got ${titles.length}; the earlier ones stay.`;
    throw new QuestionError('error-answer-generate', message);
  }
}

/** If there are fewer new questions, the earlier questions are kept. */
const MIN_COUNT = 10;
/** The batch is small enough for one answer of a model. */
const LIMITS: RefreshLimits = { count: 40, timeoutMs: 60_000 };
/** The maximum time for storing the questions after they were generated. */
const STORE_MS = 10_000;

/** The counter that contains the expiry time of the lease, in milliseconds since 1970; 0 if no refresh is running. */
const LEASE = 'explorer-refresh-until';
const INSERT_LEASE = 'INSERT INTO sys_counters (name, value) VALUES (:p1, :p2)';
const SET_LEASE = 'UPDATE sys_counters SET value = :p2 WHERE name = :p1';

async function readLease(tables: StateTables): Promise<number | undefined> {
  const [row] = await tables.rows('SELECT value FROM sys_counters WHERE name = :p1', [LEASE]);
  return row && Number(row[0]);
}

function tooSlow({ timeoutMs }: RefreshLimits): QuestionError {
  const message = `The new questions were not generated within ${timeoutMs} ms; the earlier ones stay.`;
  return new QuestionError('error-answer-generate', message);
}

function isTimeout(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'query_timeout';
}

/** Whether a user could ask the question: it is not too long, and all databases can store it. */
function isUsable(title: string): boolean {
  return title !== '' && [...title].length <= MAX_QUESTION_LENGTH && !/\0|[\uD800-\uDFFF]/u.test(title);
}

async function replaceAll(tables: StateTables, titles: readonly string[], now: Date): Promise<void> {
  await tables.run('DELETE FROM explorer_generated_questions');
  for (const [index, title] of titles.entries()) {
    await tables.run(
      'INSERT INTO explorer_generated_questions (id, title, place, created_at) VALUES (:p1, :p2, :p3, :p4)',
      [randomUUID(), title, index + 1, sqlTime(now)],
    );
  }
}

function toRecommended(title: string): RecommendedQuestion {
  return { hash: hashText(title), title, aiGenerated: true, questionId: null, recommended: false, asked: 0 };
}
