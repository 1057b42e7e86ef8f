/** What the platform counts apart. */
export type HostResource = 'core' | 'search' | 'graphql';

/** Headers of an answer, names in lower case. */
export type HostHeaders = Readonly<Record<string, string | number | undefined>>;

/** All that the platform counts is whole again within an hour; clocks may differ by some minutes. */
const LONGEST_REST_MS = 65 * 60_000;

interface Budget {
  left: number;
  /** By the stopwatch: when there is all of it again. */
  resetAt: number;
}

/** What holds one token: its place in the list names it in messages. */
export interface Token<Holder> {
  readonly place: number;
  readonly holder: Holder;
}

interface State<Holder> extends Token<Holder> {
  readonly budgets: Map<HostResource, Budget>;
  restsUntil: number;
}

/** The platform tells times of day; a clock that is set anew must not change how long a token rests. */
export interface RingTimes {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds since any fixed moment. */
  readonly stopwatch: () => number;
}

/** Tokens and what is left of each: the one with the most is used, and one that is used up or refused rests. */
export class TokenRing<Holder> {
  readonly #states: readonly State<Holder>[];
  readonly #times: RingTimes;

  constructor(holders: readonly Holder[], times: RingTimes) {
    const restsUntil = Number.NEGATIVE_INFINITY;
    this.#states = holders.map((holder, index) => ({ place: index + 1, holder, budgets: new Map(), restsUntil }));
    this.#times = times;
  }

  get tokens(): readonly Token<Holder>[] {
    return this.#states;
  }

  /** Undefined while every token rests. */
  pick(resource: HostResource): Token<Holder> | undefined {
    const able = this.#states.filter((state) => this.isReady(state, resource));
    return able.reduce<State<Holder> | undefined>((best, state) => {
      return best === undefined || this.#left(state, resource) > this.#left(best, resource) ? state : best;
    }, undefined);
  }

  isReady({ place }: Token<Holder>, resource: HostResource): boolean {
    const state = this.#state(place);
    return state !== undefined && this.#restsUntil(state, resource) <= this.#times.stopwatch();
  }

  /** When the first token can be used again, to the second, as the platform tells it. */
  soonest(resource: HostResource): Date {
    const soonest = Math.min(...this.#states.map((state) => this.#restsUntil(state, resource)));
    const inMs = Math.max(0, soonest - this.#times.stopwatch());
    return new Date(Math.round((this.#times.now() + inMs) / 1000) * 1000);
  }

  /** Notes what an answer tells of the token's budget. */
  note({ place }: Token<Holder>, resource: HostResource, headers: HostHeaders): void {
    const [left, reset] = [Number(headers['x-ratelimit-remaining']), Number(headers['x-ratelimit-reset'])];
    if (!Number.isFinite(left) || !Number.isFinite(reset)) return;
    this.#state(place)?.budgets.set(resource, { left, resetAt: this.#after(reset * 1000 - this.#times.now()) });
  }

  /** Keeps a token from being used for anything, for so many milliseconds. */
  rest({ place }: Token<Holder>, forMs: number): void {
    const state = this.#state(place);
    if (state !== undefined) state.restsUntil = Math.max(state.restsUntil, this.#after(forMs));
  }

  /** A longer rest is not believed: the token would be lost until the next start. */
  #after(ms: number): number {
    return this.#times.stopwatch() + Math.min(ms, LONGEST_REST_MS);
  }

  #state(place: number): State<Holder> | undefined {
    return this.#states[place - 1];
  }

  #restsUntil({ restsUntil, budgets }: State<Holder>, resource: HostResource): number {
    const budget = budgets.get(resource);
    return budget !== undefined && budget.left <= 0 ? Math.max(restsUntil, budget.resetAt) : restsUntil;
  }

  /** A token that was not used yet, or whose budget is whole again, has more left than any. */
  #left({ budgets }: State<Holder>, resource: HostResource): number {
    const budget = budgets.get(resource);
    return budget === undefined || budget.resetAt <= this.#times.stopwatch() ? Number.POSITIVE_INFINITY : budget.left;
  }
}
