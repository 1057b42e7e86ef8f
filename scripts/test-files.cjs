const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { dirname, join, resolve, sep } = require('node:path');

const TESTS = join(__dirname, '..', 'dist', 'test');
const SOAK = join(TESTS, 'soak') + sep;

/** Returns the suites of `npm test`, or those of them that match. */
exports.suites = (isWanted = () => true) => allSuites().filter((file) => !file.startsWith(SOAK) && isWanted(file));

/** Returns the suites of `npm run test:soak`. */
exports.soakSuites = () => allSuites().filter((file) => file.startsWith(SOAK));

/**
 * Returns no suites if the command line names suites, because Mocha then adds only those suites. The suites with a browser come first: they
 * take longest, and a process that ends with one of them would leave the others without work.
 */
function allSuites() {
  if (process.argv.slice(2).some((argument) => argument.includes('.test.'))) return [];
  const names = readdirSync(TESTS, { recursive: true }).filter((name) => name.endsWith('.test.js'));
  const files = names.sort().map((name) => join(TESTS, name));
  const inBrowser = new Set(files.filter((file) => exports.uses(file, ['chromium'])));
  return [...inBrowser, ...files.filter((file) => !inBrowser.has(file))];
}

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
  // The text of a test can contain an import of another program, whose file does not exist here.
  const modules = [...imports].map(([, path]) => resolve(dirname(file), path)).filter((path) => existsSync(path));
  return modules.some((path) => reaches(path, wanted, seen));
}
