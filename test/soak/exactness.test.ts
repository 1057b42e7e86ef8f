import { describeExactness } from '../cache/exactness/exactness.js';
import { Child } from './exactness/child.js';
import { record, seedOf } from './report.js';

/** The number of answers per suite. `EXACT_ANSWERS` sets a larger number for a long run. */
const ANSWERS = Number(process.env.EXACT_ANSWERS ?? 1_000);
const POLL_MS = 100;

/** Processes that end with SIGKILL, on the clock of the system. */
describeExactness({
  time: {
    now: Date.now,
    mark: () => performance.now(),
    msSince: (mark) => performance.now() - mark,
  },
  seed: () => seedOf('exact answers'),
  answers: ANSWERS,
  answersPerCommit: 20,
  clockMoves: 0.1,
  restarts: ANSWERS < 20_000 ? 2 : 10,
  settings: { VERSION_POLL_MS: String(POLL_MS) },
  // The interval of version reads, and the delay with which the service tolerates them.
  serverLagMs: POLL_MS + 250,
  startService: Child.start,
  onEnd: ({ faults: _, ...counts }) => record('exact answers', JSON.stringify(counts)),
});
