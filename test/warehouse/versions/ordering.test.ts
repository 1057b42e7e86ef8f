import { describeOrdering } from './ordering.js';

// `test/soak/versions.test.ts` checks more reads.
describeOrdering(500);
