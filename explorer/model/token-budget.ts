import type { StateStore, StateTables } from '../../accounts/state-store.js';
import { ModelError } from './model.js';

export interface TokenBudgetOptions {
  /** The maximum number of tokens per UTC day. 0: no limit. */
  readonly tokensPerDay: number;
  readonly now: () => Date;
}

/** Tokens that are reserved for a request. The caller must call `settle`. */
export interface Reservation {
  /** Replaces the number of reserved tokens by the number of used tokens. */
  settle(used: number): Promise<void>;
}

/**
 * Counts the tokens of each UTC day in the database. All processes share the count. Each request reserves its estimated tokens before it is
 * sent, so that concurrent requests cannot exceed the limit together. If a process is killed, its reservations count as used.
 */
export class TokenBudget {
  readonly #state: StateStore;
  readonly #options: TokenBudgetOptions;

  constructor(state: StateStore, options: TokenBudgetOptions) {
    this.#state = state;
    this.#options = options;
  }

  /** Reserves tokens. Throws `ModelError` with `budget_used_up` if fewer tokens are left for the day. */
  async reserve(tokens: number): Promise<Reservation> {
    const now = this.#options.now();
    const day = now.toISOString().slice(0, 10);
    const hasTokens = await this.#state.transaction((tables) => this.#take(tables, day, tokens));
    if (!hasTokens) throw this.#usedUp(now);
    return { settle: (used) => this.#add(day, used - tokens) };
  }

  async #take(tables: StateTables, day: string, tokens: number): Promise<boolean> {
    const { tokensPerDay } = this.#options;
    const [row] = await tables.rows('SELECT tokens FROM explorer_model_tokens WHERE day = :p1', [day]);
    const used = Number(row?.[0] ?? 0);
    if (tokensPerDay > 0 && used + tokens > tokensPerDay) return false;
    // Because of the primary key, only one of two concurrent inserts succeeds; the other transaction is retried.
    if (row === undefined) {
      await tables.run('INSERT INTO explorer_model_tokens (day, tokens) VALUES (:p1, :p2)', [day, tokens]);
    } else {
      await tables.run('UPDATE explorer_model_tokens SET tokens = tokens + :p2 WHERE day = :p1', [day, tokens]);
    }
    return true;
  }

  async #add(day: string, tokens: number): Promise<void> {
    if (tokens === 0) return;
    await this.#state.transaction((tables) =>
      tables.run('UPDATE explorer_model_tokens SET tokens = tokens + :p2 WHERE day = :p1', [day, tokens]),
    );
  }

  #usedUp(now: Date): ModelError {
    const tomorrow = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1);
    const message = `The language model has a limit of ${this.#options.tokensPerDay} tokens per day (UTC), and too few are left today.`;
    return new ModelError('budget_used_up', message, { retryAfterMs: tomorrow - now.getTime() });
  }
}
