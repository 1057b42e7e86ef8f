import { describeExactness } from '../cache/exactness/exactness.js';
import { Child } from './exactness/child.js';
import { record, seedOf } from './report.js';

/** The number of answers per suite. The number can be increased with `EXACT_ANSWERS` for a long run. */
const ANSWERS = Number(process.env.EXACT_ANSWERS ?? 1_000);
const POLL_MS = 100;

/** Uses processes that are killed with SIGKILL, and the system clock. */
describeExactness({
  time: {
    now: Date.now,
    mark: () => performance.now(),
    msSince: (mark) => performance.now() - mark,
  },
  allCombinations: true,
  seed: () => seedOf('exact answers'),
  answers: ANSWERS,
  answersPerCommit: 20,
  clockMoves: 0.1,
  restarts: ANSWERS < 20_000 ? 2 : 10,
  settings: { VERSION_POLL_MS: String(POLL_MS) },
  // The interval at which versions are read, plus the tolerated delay.
  serverLagMs: POLL_MS + 250,
  startService: Child.start,
  onEnd: ({ faults: _, ...counts }) => record('exact answers', JSON.stringify(counts)),
});
