import { expect } from 'chai';
import { readAccepted } from '../compare/accepted.js';
import { compareSuite } from '../compare/compare-suite.js';
import { openGoMysqlServer, type Suite } from '../compare/suites.js';
import { useMysql } from '../services/mysql.js';
import { IS_TIDB } from '../services/server.js';
import { record } from './report.js';

describe('the SQL suite of go-mysql-server', () => {
  const server = useMysql();
  let suite: Suite;
  before(async function () {
    if (IS_TIDB) return this.skip();
    try {
      suite = await openGoMysqlServer();
    } catch (error) {
      process.stderr.write(`SKIPPED: ${(error as Error).message}\n`);
      this.skip();
    }
  });

  it('has only accepted differences on the embedded database', async () => {
    const { ran, equal, differences } = await compareSuite(suite, suite.files, server.url, () => undefined);
    record(suite.version, `${ran} SELECTs, ${equal} equal, ${differences.length} differences`);
    const reasonOf = readAccepted();
    expect(differences.filter((difference) => reasonOf(difference) === undefined)).to.deep.equal([]);
  });
});
