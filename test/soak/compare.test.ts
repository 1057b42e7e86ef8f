import { expect } from 'chai';
import { readAccepted } from '../compare/accepted.js';
import { compareSuite } from '../compare/compare-suite.js';
import { SUITES } from '../compare/suites.js';
import { useMysql } from '../services/mysql.js';
import { IS_TIDB } from '../services/server.js';
import { record } from './report.js';

describe('the SQL suites of other projects', () => {
  const server = useMysql();

  for (const name of ['go-mysql-server']) {
    it(`${name}: the embedded database has only accepted differences`, async function () {
      const open = SUITES[name];
      if (IS_TIDB || open === undefined) return this.skip();
      const suite = await open().catch(() => undefined);
      // The suite comes from a package registry, which not every machine reaches.
      if (suite === undefined) return this.skip();
      const { ran, equal, differences } = await compareSuite(suite, suite.files, server.url, () => undefined);
      record(suite.version, `${ran} SELECTs, ${equal} equal, ${differences.length} differences`);
      const reasonOf = readAccepted();
      expect(differences.filter((difference) => reasonOf(difference) === undefined)).to.deep.equal([]);
    });
  }
});
