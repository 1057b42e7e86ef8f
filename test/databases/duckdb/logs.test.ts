import { testLogs } from './test-logs.js';

// `test/soak/logs.test.ts` tests more positions.
testLogs(61);
