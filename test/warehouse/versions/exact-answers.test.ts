import { describeExactAnswers } from './exact-answers.js';

// `test/soak/versions.test.ts` runs more transactions.
describeExactAnswers(18);
