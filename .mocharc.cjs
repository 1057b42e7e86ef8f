/** `npm test`: all suites, or those that the command line names. */
const { suites } = require('./scripts/test-files.cjs');

module.exports = {
  // `liftoff-only`: see sql/reading/parser-compilation.ts.
  'node-option': ['enable-source-maps', 'liftoff-only'],
  require: ['dist/test/services/test-run.js'],
  parallel: true,
  // Many suites wait for a server or a child process.
  jobs: 3,
  timeout: 180_000,
  'forbid-only': true,
  'forbid-pending': false,
  spec: suites(),
};
