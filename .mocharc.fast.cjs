/** Runs the suites that start no other program: `npm run test:fast`. */
const { suites, uses } = require('./scripts/test-files.cjs');

module.exports = {
  ...require('./.mocharc.cjs'),
  spec: suites((file) => !uses(file, ['server', 'redis', 'tidb', 'chromium', 'reverse-proxies'])),
};
