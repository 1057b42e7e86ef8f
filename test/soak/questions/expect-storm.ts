import { expect } from 'chai';
import type { ModelServer } from '../../explorer/model-server.js';
import type { Storm } from './question-storm.js';
import { behaviorOf, questionOf, sqlOf } from './storm-model.js';

/**
 * Expects that the limits were exact, that every question ended as expected for the behavior of the model, and that each was prepared and
 * run only once. `executed` are the SQL texts that the database ran.
 */
export function expectExactStorm(storm: Storm, model: ModelServer, executed: readonly string[]): void {
  const { questions, bursts } = storm;
  // Each user may have two questions in progress, and more after these have ended.
  const wrong = bursts.filter(({ accepted, stored, ended }) => {
    return stored !== accepted || accepted < 2 || accepted > 2 + ended;
  });
  expect(wrong, 'accepted at once').to.deep.equal([]);
  expect(questions).to.have.length(4 * bursts.length);
  expect(new Set(questions.map(({ text }) => text)).size).to.equal(questions.length);
  expect(new Set(questions.map(({ id }) => id)).size).to.equal(questions.length);
  const prompts = countBy(model.requests.map(questionOf));
  const faults = questions.flatMap(({ text, record, statuses }) => {
    const {
      errorType,
      prompts: [least, most],
    } = behaviorOf(Number(text.split(' ')[2]));
    const asked = prompts.get(text) ?? 0;
    const runs = executed.filter((sql) => sql.includes(text)).length;
    const isAsExpected =
      record.title === text &&
      record.status === (errorType === null ? 'success' : 'error') &&
      record.errorType === errorType &&
      asked >= least &&
      asked <= most &&
      runs === (errorType === null || errorType === 'error-empty-result' ? 1 : 0) &&
      statuses.filter((status) => status === 'running').length <= 1;
    return isAsExpected ? [] : [{ text, asked, runs, statuses, status: record.status, error: record.error }];
  });
  expect(faults).to.deep.equal([]);
  for (const { text, record } of questions.filter(({ record: { status } }) => status === 'success')) {
    expect(record.querySQL).to.equal(sqlOf(text));
    expect(record.result?.rows.map(({ question }) => question)).to.deep.equal([text]);
  }
}

export function countBy(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
