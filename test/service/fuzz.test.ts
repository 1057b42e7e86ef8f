import { describeRandomRequests } from './random-requests.js';

// `test/soak/random-requests.test.ts` sends more requests.
describeRandomRequests(70, 1);
