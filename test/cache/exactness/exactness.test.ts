import { describeExactness } from './exactness.js';
import { startServed } from './served.js';
import { fixedTime } from './service-clock.js';

const time = fixedTime();
/**
 * These limits never end on a slow machine: services always wait for Redis, and versions are only read again for a request for the newest
 * version.
 */
const PATIENT = { drainMs: 0, redisMs: 600_000 };

describeExactness({
  time,
  seed: () => 1,
  // `test/soak/exactness.test.ts` uses all combinations, and more answers.
  allCombinations: false,
  answers: 200,
  answersPerCommit: 8,
  clockMoves: 0.2,
  restarts: 1,
  serverLagMs: Number.POSITIVE_INFINITY,
  startService: (settings, offsetMs) => startServed(time.now, settings, offsetMs, PATIENT),
});
