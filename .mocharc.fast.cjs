/** Runs the suites that use no server of another program: `npm run test:fast`. */
const { suites, uses } = require('./scripts/test-files.cjs');

module.exports = {
  ...require('./.mocharc.cjs'),
  spec: suites((file) => !uses(file, ['server', 'redis', 'tidb'])),
};
