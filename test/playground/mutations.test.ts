import { testMutations } from './test-mutations.js';

// `test/soak/mutations.test.ts` has more queries.
testMutations(600, 7);
