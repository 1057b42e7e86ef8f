/** Runs the suites that use a database server, and no other, on TiDB: `npm run test:tidb`. */
const { readdirSync, readFileSync } = require('node:fs');
const { dirname, join, resolve } = require('node:path');

const TESTS = join(__dirname, 'dist', 'test');
const SERVER = join(TESTS, 'services', 'server.js');

/** Whether a module is, or imports, the one that starts the server. */
function usesServer(file, seen = new Set()) {
  if (file === SERVER) return true;
  if (seen.has(file) || !file.startsWith(TESTS)) return false;
  seen.add(file);
  const imports = readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g);
  return [...imports].some(([, path]) => usesServer(resolve(dirname(file), path), seen));
}

process.env.TEST_DATABASE = 'tidb';

const files = readdirSync(TESTS, { recursive: true }).map((name) => join(TESTS, name));

module.exports = {
  ...require('./.mocharc.json'),
  spec: files.filter((file) => file.endsWith('.test.js') && usesServer(file)).sort(),
};
