import type { AnswerSource, RequestRecord } from '../request-record.js';
import type { CacheOutcome, ServedAnswer } from './stored-answer.js';

/** Records which definition answers a request, and where the answer came from. */
export function recordAnswer(record: RequestRecord, { answer, outcome, queryMs }: ServedAnswer): void {
  record.operation = answer.endpoint.definition.name;
  record.rows = answer.rows;
  record.cache = sourceOf(outcome);
  record.databaseMs = queryMs;
}

function sourceOf(outcome: CacheOutcome): AnswerSource {
  if (outcome.kind === 'hit') return outcome.level === 1 ? 'memory' : 'redis';
  if (outcome.kind === 'miss') return outcome.isCollapsed ? 'coalesced' : 'computed';
  return outcome.kind;
}
