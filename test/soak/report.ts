/**
 * The report of `npm run test:soak`. Suites record their seeds and figures here, which are printed at the end of the run. To run a suite
 * again with the printed seed: `SOAK_SEED=7 npx mocha --config .mocharc.soak.cjs dist/test/soak/<suite>.test.js`.
 */

const lines: (readonly [subject: string, figure: string])[] = [];

/** Returns the seed of a suite: `SOAK_SEED`, or a random one. */
export function seedOf(suite: string): number {
  const given = process.env.SOAK_SEED ?? '';
  const seed = given === '' ? Math.floor(Math.random() * 2 ** 31) : Number(given);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`SOAK_SEED: expected an integer from 0, got ${given}`);
  record(suite, `seed ${seed}`);
  return seed;
}

/** Adds a line to the report, for example `record('queue of questions', '120 questions in 31 s')`. */
export function record(subject: string, figure: string): void {
  lines.push([subject, figure]);
}

export const mochaHooks = {
  afterAll() {
    console.log('\n  Report of the soak suite');
    const width = Math.max(...lines.map(([subject]) => subject.length));
    for (const [subject, figure] of lines) console.log(`    ${subject.padEnd(width)}  ${figure}`);
  },
};
