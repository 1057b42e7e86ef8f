const { readdirSync, readFileSync } = require('node:fs');
const { dirname, join, resolve } = require('node:path');

const TESTS = join(__dirname, '..', 'dist', 'test');

/** The suites with the longest duration. They start first, so that no long suite runs alone at the end. */
const LONGEST = [
  'explorer/work/model-storm.test.js',
  'cli/serve.test.js',
  'playground/functions.test.js',
  'parity/parity.test.js',
  'databases/duckdb/isolated.test.js',
  'explorer/hostile/hostile-outputs.test.js',
  'explorer/hostile/hostile-questions.test.js',
  'explorer/work/killed.test.js',
  'oracle/oracle.test.js',
  'cache/exactness/exactness.test.js',
  'web/pages.test.js',
  'service/user-crash.test.js',
  'warehouse/provisional-repositories.test.js',
  'workers/workers.test.js',
  'workers/follow.test.js',
  'warehouse/server-store.test.js',
  'service/shared-limits.test.js',
  'mcp/cancellation.test.js',
  'playground/expensive-queries.test.js',
];

/**
 * Returns the suites of a configuration in the order in which they start. Returns no suites if the command line names
 * suites, because Mocha then adds only those suites.
 */
exports.suites = (isWanted = () => true) => {
  if (process.argv.slice(2).some((argument) => argument.includes('.test.'))) return [];
  const names = readdirSync(TESTS, { recursive: true }).filter((name) => name.endsWith('.test.js'));
  const missing = LONGEST.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`scripts/test-files.cjs names suites that do not exist: ${missing.join(', ')}`);
  const others = names.filter((name) => !LONGEST.includes(name)).sort();
  return [...LONGEST, ...others].map((name) => join(TESTS, name)).filter(isWanted);
};

/** Whether a suite, or a module that it imports, imports one of these modules of `test/services`. */
exports.uses = (file, modules) => {
  const wanted = new Set(modules.map((name) => join(TESTS, 'services', `${name}.js`)));
  return reaches(file, wanted, new Set());
};

function reaches(file, wanted, seen) {
  if (wanted.has(file)) return true;
  if (seen.has(file) || !file.startsWith(TESTS)) return false;
  seen.add(file);
  const imports = readFileSync(file, 'utf8').matchAll(/from '(\.[^']+\.js)'/g);
  return [...imports].some(([, path]) => reaches(resolve(dirname(file), path), wanted, seen));
}
