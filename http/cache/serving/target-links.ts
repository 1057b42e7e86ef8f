import type { Engine } from '../../../engine/index.js';
import type { TargetRequest } from '../answer-cache.js';
import type { Entry } from '../memory/entry.js';
import type { MemoryAnswers } from '../memory/memory-answers.js';
import type { StoredAnswer } from '../stored-answer.js';

/** Knows which answers in memory belong to which targets. It follows the definitions: another one may answer a target after a reload. */
export class TargetLinks {
  readonly #engine: Engine;
  readonly #memory: MemoryAnswers;
  /** The generation of the definitions for which the targets of answers are known. */
  #generation: number;

  constructor(engine: Engine, memory: MemoryAnswers) {
    this.#engine = engine;
    this.#memory = memory;
    this.#generation = engine.generation;
  }

  find(target: string): Entry | undefined {
    this.#followDefinitions();
    return this.#memory.find(target);
  }

  /** Lets `find` return the entry, unless the definitions changed since the request began. */
  link(entry: Entry, { target, generation }: TargetRequest): void {
    this.#followDefinitions();
    if (generation === this.#generation) this.#memory.link(entry, target);
  }

  /** Links the entry with this key if it still has this answer. */
  linkAnswer(key: string, answer: StoredAnswer, request: TargetRequest): void {
    const entry = this.#memory.get(key);
    if (entry?.answer === answer) this.link(entry, request);
  }

  /** After a change, forgets the targets of the answers, and the answers of definitions that are not served anymore. */
  #followDefinitions(): void {
    if (this.#generation === this.#engine.generation) return;
    this.#generation = this.#engine.generation;
    this.#memory.forgetTargets();
    const current = new Map(this.#engine.endpoints.map((endpoint) => [endpoint.contentHash, endpoint]));
    for (const entry of [...this.#memory.entries()]) {
      const endpoint = current.get(entry.answer.endpoint.contentHash);
      if (endpoint === undefined) this.#memory.remove(entry);
      else if (endpoint !== entry.answer.endpoint) this.#memory.update(entry, { ...entry.answer, endpoint });
    }
  }
}
