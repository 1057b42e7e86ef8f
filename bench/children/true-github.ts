/**
 * A simulated GitHub server for the benchmark `tracking`. The argument is the plan of its month as JSON. An order sets the current time for
 * the next answers, in milliseconds since 1970.
 */

import { startGitHubServer } from '../../test/github/github-server.js';
import { answerSources } from '../../test/github/issue-truth.js';
import { createMonth, type MonthPlan, START } from '../tracking/true-month.js';

const repositories = createMonth(JSON.parse(process.argv[2] ?? '') as MonthPlan);
let now = START;
const github = await startGitHubServer();
github.answer = (call) => {
  github.calls.length = 0;
  return answerSources(repositories, call, { url: github.url, now });
};
process.on('message', (time) => {
  now = Number(time);
  process.send?.('set');
});
console.log(github.url);
