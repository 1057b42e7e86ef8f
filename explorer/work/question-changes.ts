import { EventEmitter } from 'node:events';
import type { Question } from '../questions/question.js';

/** Announces changes of questions within this process. Changes by other processes are not announced. */
export class QuestionChanges {
  readonly #emitter = new EventEmitter().setMaxListeners(0);
  readonly #onChange: (question: Question) => void;

  /** `onChange` is called with a question after this process has changed it. */
  constructor(onChange: (question: Question) => void = () => {}) {
    this.#onChange = onChange;
  }

  announce(question: Question): void {
    this.#onChange(question);
    this.#emitter.emit(question.id);
  }

  /** Resolves at the next change of the question, after `timeoutMs`, or when the signal aborts. */
  next(id: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#emitter.off(id, end);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, timeoutMs);
      this.#emitter.once(id, end);
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
    });
  }
}
