/** `npm test`: all suites except those in `test/soak`, or those that the command line names. */
const { suites } = require('./scripts/test-files.cjs');

module.exports = {
  // `liftoff-only`: see engine/sql/reading/parser-compilation.ts.
  'node-option': ['enable-source-maps', 'liftoff-only'],
  require: ['dist/test/services/test-run.js'],
  parallel: true,
  // Many suites wait for a server or a child process.
  jobs: 3,
  // One generous limit for the whole run, longer than that of a wait (test/services/eventually.ts). It only ends hanging tests.
  timeout: 600_000,
  // Timers of long limits, which no test reaches, do not delay the end of a run.
  exit: true,
  'forbid-only': true,
  'forbid-pending': false,
  spec: suites(),
};
