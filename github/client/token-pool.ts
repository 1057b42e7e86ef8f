/** The groups of GitHub requests that have separate rate limits. */
export type RateLimitResource = 'core' | 'search' | 'graphql';

/** Headers of a response; names are in lower case. */
export type ResponseHeaders = Readonly<Record<string, string | number | undefined>>;

/**
 * The maximum time for which a token is suspended. Every rate limit of GitHub resets within an hour; five minutes are added because
 * GitHub's clock may differ.
 */
const MAX_SUSPENSION_MS = 65 * 60_000;

interface Budget {
  remaining: number;
  /** The stopwatch value at which the whole budget is available again. */
  resetAt: number;
}

/** A client with one of the tokens. Messages refer to a token by its position in the list, counted from 1. */
export interface PooledToken<Client> {
  readonly position: number;
  readonly client: Client;
}

interface TokenState<Client> extends PooledToken<Client> {
  readonly budgets: Map<RateLimitResource, Budget>;
  suspendedUntil: number;
}

/**
 * The two clocks of the pool. The reset times from GitHub are absolute. Suspensions are measured with the stopwatch, so that a change of
 * the system clock does not affect them.
 */
export interface PoolClocks {
  /** Returns milliseconds since 1970. */
  readonly now: () => number;
  /** Returns milliseconds since a fixed moment. */
  readonly stopwatch: () => number;
}

/**
 * Tokens and their remaining budgets. Selects the token with the largest remaining budget, and skips rejected tokens and tokens without a
 * budget.
 */
export class TokenPool<Client> {
  readonly #states: readonly TokenState<Client>[];
  readonly #clocks: PoolClocks;

  constructor(clients: readonly Client[], clocks: PoolClocks) {
    const suspendedUntil = Number.NEGATIVE_INFINITY;
    this.#states = clients.map((client, index) => ({
      position: index + 1,
      client,
      budgets: new Map(),
      suspendedUntil,
    }));
    this.#clocks = clocks;
  }

  get tokens(): readonly PooledToken<Client>[] {
    return this.#states;
  }

  /** Returns the available token with the largest remaining budget; undefined if no token is available. */
  select(resource: RateLimitResource): PooledToken<Client> | undefined {
    const available = this.#states.filter((state) => this.isAvailable(state, resource));
    return available.reduce<TokenState<Client> | undefined>((best, state) => {
      return best === undefined || this.#remaining(state, resource) > this.#remaining(best, resource) ? state : best;
    }, undefined);
  }

  /** The number of requests that each token has left, from GitHub's last response; null if the token was not used yet. */
  requestsLeft(resource: RateLimitResource): (number | null)[] {
    return this.#states.map(({ budgets }) => budgets.get(resource)?.remaining ?? null);
  }

  isAvailable({ position }: PooledToken<Client>, resource: RateLimitResource): boolean {
    const state = this.#findState(position);
    return state !== undefined && this.#unavailableUntil(state, resource) <= this.#clocks.stopwatch();
  }

  /** Returns when the first token becomes available again, rounded to seconds as in GitHub's headers. */
  nextAvailableAt(resource: RateLimitResource): Date {
    const soonest = Math.min(...this.#states.map((state) => this.#unavailableUntil(state, resource)));
    const inMs = Math.max(0, soonest - this.#clocks.stopwatch());
    return new Date(Math.round((this.#clocks.now() + inMs) / 1000) * 1000);
  }

  /** Stores the remaining budget of a token from the headers of a response. */
  updateBudget({ position }: PooledToken<Client>, resource: RateLimitResource, headers: ResponseHeaders): void {
    const [remaining, reset] = [Number(headers['x-ratelimit-remaining']), Number(headers['x-ratelimit-reset'])];
    if (!Number.isFinite(remaining) || !Number.isFinite(reset)) return;
    const resetAt = this.#stopwatchAfter(reset * 1000 - this.#clocks.now());
    this.#findState(position)?.budgets.set(resource, { remaining, resetAt });
  }

  /** Makes a token unavailable for every resource for `ms` milliseconds. */
  suspend({ position }: PooledToken<Client>, ms: number): void {
    const state = this.#findState(position);
    if (state !== undefined) state.suspendedUntil = Math.max(state.suspendedUntil, this.#stopwatchAfter(ms));
  }

  /**
   * Returns the value that the stopwatch will have after `ms` milliseconds. The duration is limited, so that a wrong header cannot disable
   * a token until the service restarts.
   */
  #stopwatchAfter(ms: number): number {
    return this.#clocks.stopwatch() + Math.min(ms, MAX_SUSPENSION_MS);
  }

  #findState(position: number): TokenState<Client> | undefined {
    return this.#states[position - 1];
  }

  #unavailableUntil({ suspendedUntil, budgets }: TokenState<Client>, resource: RateLimitResource): number {
    const budget = budgets.get(resource);
    return budget !== undefined && budget.remaining <= 0 ? Math.max(suspendedUntil, budget.resetAt) : suspendedUntil;
  }

  /** Returns the remaining requests of a token: infinite if the token was not used yet or its rate limit was reset. */
  #remaining({ budgets }: TokenState<Client>, resource: RateLimitResource): number {
    const budget = budgets.get(resource);
    const isFull = budget === undefined || budget.resetAt <= this.#clocks.stopwatch();
    return isFull ? Number.POSITIVE_INFINITY : budget.remaining;
  }
}
