import { describeExactness } from './exactness.js';
import { startServed } from './served.js';
import { fixedTime } from './service-clock.js';

const time = fixedTime();
/** No limit ends on a slow machine: services wait for Redis, and only a request for the newest version reads the versions again. */
const PATIENT = { drainMs: 0, redisMs: 600_000 };

describeExactness({
  time,
  seed: () => 1,
  answers: 200,
  answersPerCommit: 8,
  clockMoves: 0.2,
  restarts: 1,
  serverLagMs: Number.POSITIVE_INFINITY,
  startService: (settings, offsetMs) => startServed(time.now, settings, offsetMs, PATIENT),
});
