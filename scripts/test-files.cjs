const { readdirSync, readFileSync } = require('node:fs');
const { dirname, join, resolve } = require('node:path');

const TESTS = join(__dirname, '..', 'dist', 'test');

/** They take longest: begun last, one of them would run alone at the end. */
const LONGEST = [
  'playground/functions.test.js',
  'parity/parity.test.js',
  'oracle/oracle.test.js',
  'cli/serve.test.js',
  'cli/first-serve.test.js',
  'playground/bombs.test.js',
  'host/enrichment.test.js',
  'cli/commands.test.js',
  'databases/duckdb/isolated.test.js',
  'oracle/demo.test.js',
];

/** The suites that a configuration runs, in the order in which they start; none where the command line names some: Mocha adds those. */
exports.suites = (isWanted = () => true) => {
  if (process.argv.slice(2).some((argument) => argument.includes('.test.'))) return [];
  const names = readdirSync(TESTS, { recursive: true })
    .filter((name) => name.endsWith('.test.js'))
    .sort((one, other) => place(one) - place(other) || (one < other ? -1 : 1));
  return names.map((name) => join(TESTS, name)).filter(isWanted);
};

/** Whether a suite, or a module that it imports, imports one of these modules of `test/services`. */
exports.uses = (file, modules) => {
  const wanted = new Set(modules.map((name) => join(TESTS, 'services', `${name}.js`)));
  return reaches(file, wanted, new Set());
};

function place(name) {
  const index = LONGEST.indexOf(name);
  return index < 0 ? LONGEST.length : index;
}

function reaches(file, wanted, seen) {
  if (wanted.has(file)) return true;
  if (seen.has(file) || !file.startsWith(TESTS)) return false;
  seen.add(file);
  const imports = readFileSync(file, 'utf8').matchAll(/from '(\.[^']+\.js)'/g);
  return [...imports].some(([, path]) => reaches(resolve(dirname(file), path), wanted, seen));
}
