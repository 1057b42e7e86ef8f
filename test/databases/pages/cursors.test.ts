import { testCursors } from './test-cursors.js';

// `test/soak/cursors.test.ts` tests more data sets.
testCursors(2, 7);
