import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const TESTS = fileURLToPath(new URL('../../test/', import.meta.url));

/** Code patterns that make the result of a test depend on the speed of the machine, on the date, or on chance. */
const FORBIDDEN: readonly (readonly [RegExp, string])[] = [
  [/\bperformance\.now\b|\bhrtime\b|\bprocess\.uptime\b/, 'reads a stopwatch; pass one, or move the test to test/soak'],
  [/\bDate\.now\b|\bnew Date\(\s*\)/, 'reads the time of the system; pass a fixed clock'],
  [/\bcpuUsage\b|\bresourceUsage\b/, 'measures CPU time; a speed is a benchmark'],
  [/\bset(Timeout|Interval)\b|\bAbortSignal\.timeout\b/, 'waits for a time; wait for a state with `eventually`'],
  [/\bMath\.random\b/, 'is different in every run; use a generator with a fixed seed'],
  [/\bthis\.(timeout|retries|slow)\(|\.timeout\(\d/, 'has its own time limit or repetition; the run has one limit'],
  [/\bwithBusyProcessors\b/, 'keeps processors busy and slows other suites; move the test to test/soak'],
];

/** The only module that waits: its function repeats a check until a state is reached. */
const WAITS = 'services/eventually.ts';

describe('the tests of `npm test`', () => {
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('soak/') && file !== WAITS)
    .filter((file) => file !== 'time-in-tests.test.ts')
    .sort();

  for (const folder of new Set(files.map(folderOf))) {
    it(`in ${folder} depend neither on time nor on chance`, () => {
      const ofFolder = files.filter((file) => folderOf(file) === folder);
      const found = ofFolder.flatMap((file) => findingsIn(file, readFileSync(join(TESTS, file), 'utf8')));
      expect(found.join('\n')).to.equal('');
    });
  }
});

function findingsIn(file: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const code = line.replace(/^\s*(\*|\/\/|\/\*).*/, '');
    return FORBIDDEN.filter(([pattern]) => pattern.test(code)).map(
      ([, reason]) => `test/${file}:${index + 1} ${reason}: ${line.trim()}`,
    );
  });
}

function folderOf(file: string): string {
  return file.includes('/') ? `test/${file.slice(0, file.indexOf('/'))}` : 'test';
}
