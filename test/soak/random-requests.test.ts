import { describeBounds } from '../service/bounds-of-requests.js';
import { describeHostileTexts } from '../service/hostile-texts.js';
import { describeRandomRequests, describeRandomRequestsOnServer } from '../service/random-requests.js';
import { seedOf } from './report.js';

/** `FUZZ_REQUESTS=10000 FUZZ_SEED=7` sends more requests, with this seed. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 1_000);
const SEED = Number(process.env.FUZZ_SEED ?? seedOf('random requests'));

describeRandomRequests(REQUESTS, SEED);
describeRandomRequestsOnServer(REQUESTS, SEED);
describeBounds({ numRuns: REQUESTS, seed: SEED, everyOperation: true });
describeHostileTexts();
