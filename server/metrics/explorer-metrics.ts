import type { Explorer } from '../../explorer/explorer.js';
import { isFinal, type Question } from '../../explorer/questions/question.js';
import { type Family, labelled, single } from './family.js';

/** Counts the questions of the explorer, and the tokens of its language model. */
export class ExplorerMetrics {
  readonly #ended: Record<string, number> = {};
  #tokens = 0;

  /** Must be called once for each change of a question. */
  countChange({ status, hitCache }: Question): void {
    if (!isFinal(status)) return;
    const result = hitCache ? 'reused' : status;
    this.#ended[result] = (this.#ended[result] ?? 0) + 1;
  }

  countTokens(tokens: number): void {
    this.#tokens += tokens;
  }

  families(explorer: Pick<Explorer, 'load'>): Family[] {
    return [
      labelled(
        {
          ...{ name: 'repo_insight_explorer_questions_total', type: 'counter' },
          help: 'Questions that ended, by status; `reused` is the answer of an equal question.',
        },
        'status',
        () => this.#ended,
      ),
      single(
        {
          ...{ name: 'repo_insight_explorer_questions_active', type: 'gauge' },
          help: 'Questions that are being worked on.',
        },
        () => explorer.load.active,
      ),
      single(
        {
          // All workers count the same questions.
          ...{ name: 'repo_insight_explorer_questions_waiting', type: 'gauge', aggregation: 'max' },
          help: 'Questions that waited in the database when they were last counted.',
        },
        () => explorer.load.waiting,
      ),
      single(
        {
          ...{ name: 'repo_insight_model_tokens_total', type: 'counter' },
          help: 'Tokens of requests to the language model and of its answers.',
        },
        () => this.#tokens,
      ),
    ];
  }
}
