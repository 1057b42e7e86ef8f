import { describeBounds } from './bounds-of-requests.js';

// `test/soak/random-requests.test.ts` sends more requests.
describeBounds(80, 1);
