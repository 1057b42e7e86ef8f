/** `npm run test:soak`: random and long runs, one after the other. `test/soak/report.ts` prints their seeds and figures. */
const { soakSuites } = require('./scripts/test-files.cjs');

module.exports = {
  ...require('./.mocharc.cjs'),
  require: ['dist/test/services/test-run.js', 'dist/test/soak/report.js'],
  parallel: false,
  // Random data sets and kills need minutes.
  timeout: 30 * 60_000,
  spec: soakSuites(),
};
