/** Runs the suites that use a database server, and no other, on TiDB: `npm run test:tidb`. */
const { suites, uses } = require('./scripts/test-files.cjs');

process.env.TEST_DATABASE = 'tidb';

module.exports = {
  ...require('./.mocharc.cjs'),
  spec: suites((file) => uses(file, ['server'])),
};
