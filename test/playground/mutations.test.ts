import { testMutations } from './test-mutations.js';

// `test/soak/mutations.test.ts` tests more queries.
testMutations(200, 7);
