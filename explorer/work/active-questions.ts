import type { Claim } from '../questions/question-store.js';

interface ActiveWork {
  readonly claim: Claim;
  readonly controller: AbortController;
}

/** The questions that a worker works on, with the means to stop the work. */
export class ActiveQuestions {
  readonly #works = new Set<ActiveWork>();

  /** Adds a question. The returned function removes it. */
  add(claim: Claim, controller: AbortController): () => void {
    // Work on an earlier claim to the same question was lost, because the lease ended while this process paused.
    this.abort(claim.question.id);
    const work = { claim, controller };
    this.#works.add(work);
    return () => this.#works.delete(work);
  }

  /** The ids of the claims. */
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
