import { createRequire } from 'node:module';
import { expect } from 'chai';

const require = createRequire(import.meta.url);

describe('Selections of suites', () => {
  const { suites, uses } = require('../../../scripts/test-files.cjs') as {
    suites: (isWanted?: (file: string) => boolean) => string[];
    uses: (file: string, modules: readonly string[]) => boolean;
  };

  /** The paths below `dist/test`. If Mocha is started with a file as argument, these functions must not add suites. */
  function select(isWanted?: (file: string) => boolean): string[] {
    const { argv } = process;
    process.argv = argv.slice(0, 2);
    try {
      return suites(isWanted).map((file) => file.replace(/^.*\/dist\/test\//, ''));
    } finally {
      process.argv = argv;
    }
  }

  it('finds the suites that use a server, and no others', () => {
    const selected = select((file) => uses(file, ['server']));
    expect(selected).to.include.members(['databases/mysql/tidb.test.js', 'warehouse/provisional-accounts.test.js']);
    expect(selected).to.not.include.members(['service/typescript-client.test.js']);
    expect(selected).to.not.include.members(['prose.test.js']);
  });

  it('omits the soak suites', () => {
    expect(select().filter((file) => file.startsWith('soak/'))).to.deep.equal([]);
    expect(select()).to.include('prose.test.js');
  });
});
