import { describeBounds } from './bounds-of-requests.js';
import { describeHostileTexts } from './hostile-texts.js';
import { describeRandomRequests } from './random-requests.js';

// `test/soak/random-requests.test.ts` sends more requests, every text to every parameter, and requests to a service on a server.
describeHostileTexts(10);
describeRandomRequests(70, 2);
describeBounds({ numRuns: 40, seed: 1, everyOperation: false });
