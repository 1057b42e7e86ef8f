import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { readFaults } from '../../scripts/faulty-copy.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

describe('the seeded faults', () => {
  const faults = readFaults(ROOT);

  it('change a text that occurs once in its file', () => {
    const stale = faults.filter(({ file, find }) => {
      const path = join(ROOT, file);
      return !existsSync(path) || readFileSync(path, 'utf8').split(find).length !== 2;
    });
    expect(stale.map(({ file, find }) => `${file}: ${find}`)).to.deep.equal([]);
  });

  it('name suites that exist', () => {
    const missing = faults.flatMap(({ suites }) =>
      suites.filter((suite) => !existsSync(join(ROOT, 'test', `${suite}.test.ts`))),
    );
    expect(missing).to.deep.equal([]);
  });
});
