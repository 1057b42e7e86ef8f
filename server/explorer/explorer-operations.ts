import type { StateStore } from '../../accounts/state-store.js';
import { answerOperation } from '../../app-routes/explorer/answer.js';
import { feedbackOperations } from '../../app-routes/explorer/feedback.js';
import { questionOperations } from '../../app-routes/explorer/questions.js';
import { recommendationOperations } from '../../app-routes/explorer/recommendations.js';
import { sqlGenerationOperations } from '../../app-routes/explorer/sql-generation.js';
import { tagOperations } from '../../app-routes/explorer/tags.js';
import { userQuestionsOperation } from '../../app-routes/explorer/user-questions.js';
import type { Operation } from '../../engine/http/operations/operation.js';
import type { Database } from '../../engine/index.js';
import { generateSql } from '../../explorer/answers/generate-sql.js';
import type { PrepareParts } from '../../explorer/answers/prepare-answer.js';
import type { Explorer } from '../../explorer/explorer.js';
import { QuestionFeedback } from '../../explorer/questions/feedback.js';
import { GeneratedQuestions, type GenerateQuestions } from '../../explorer/questions/generated-questions.js';
import { Recommendations } from '../../explorer/questions/recommendations.js';
import { SqlQuota } from '../../explorer/questions/sql-quota.js';
import { QuestionTags } from '../../explorer/questions/tags.js';

export interface ExplorerOperationParts extends PrepareParts {
  readonly explorer: Explorer;
  readonly generateQuestions: GenerateQuestions;
  readonly staleAfterMs: number;
  /** How long `POST /explorer/answer/` waits for an answer. */
  readonly answerWaitMs: number;
}

export interface StoredParts {
  readonly database: Database;
  readonly state: StateStore;
  readonly clock: () => Date;
}

/** The operations of the explorer. */
export function explorerOperations(
  parts: ExplorerOperationParts,
  { database, state, clock }: StoredParts,
): Operation[] {
  const { explorer, generateQuestions, staleAfterMs, answerWaitMs } = parts;
  const questions = { explorer, clock, staleAfterMs };
  return [
    ...questionOperations(questions),
    answerOperation(questions, answerWaitMs),
    userQuestionsOperation(database),
    ...tagOperations(new QuestionTags(database, state)),
    ...feedbackOperations(new QuestionFeedback(database, state)),
    ...recommendationOperations(
      new Recommendations(database, state),
      new GeneratedQuestions(database, state, generateQuestions),
    ),
    // The SQL is generated for the time of the data, which `NOW` can fix. The quota counts real days.
    ...sqlGenerationOperations(new SqlQuota(database, state), (question, context, { signal }) =>
      generateSql(parts, question, { context, signal, now: clock() }),
    ),
  ];
}
