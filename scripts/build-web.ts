import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createOwnFolder } from '../engine/databases/own-folder.js';
import { keepLastFiles } from './keep-last-files.js';
import { replaceFolder } from './replace-folder.js';

// Builds the console (web/) into dist/web, if a file that it depends on is newer than the last build. `--force` always builds.
// A build that is interrupted leaves the last complete build.

const INPUTS = ['web', 'engine/charts', 'scripts/world-map.ts', 'engine/http/description/client', 'package-lock.json'];
const OUT = 'dist/web';
const RESULT = `${OUT}/index.html`;
const CLIENT = 'web/api/generated/client.ts';
const WORLD = 'engine/charts/generated/world.json';

const started = new Date();
if (process.argv.includes('--force') || isOutdated()) {
  // Loaded only if they are needed: every start of the service runs this script.
  const { writeClient } = await import('../engine/http/description/client/write-client.js');
  const { build } = await import('vite');
  // The client of no definition: the console calls all definitions by name.
  writeFileIfChanged(CLIENT, writeClient([]));
  const { worldMap } = await import('./world-map.js');
  writeFileIfChanged(WORLD, worldMap());
  const own = await createOwnFolder(dirname(OUT), basename(OUT));
  // Not the folder itself: other accounts must be able to read the console.
  const folder = join(own.path, 'web');
  await build({ configFile: 'web/vite.config.ts', logLevel: 'warn', build: { outDir: folder } });
  const { compressFiles } = await import('./compress-web.js');
  await compressFiles(join(folder, 'assets'));
  // A file that was changed after the beginning of the build may not be part of it.
  utimesSync(join(folder, 'index.html'), started, started);
  keepLastFiles(OUT, folder);
  replaceFolder(OUT, folder);
  await own.remove();
}

function writeFileIfChanged(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

function isOutdated(): boolean {
  if (!existsSync(RESULT) || !existsSync(WORLD)) return true;
  const built = statSync(RESULT).mtimeMs;
  return INPUTS.flatMap(filesOf).some((file) => statSync(file).mtimeMs > built);
}

function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((file) => join(path, file))
    .filter((file) => file !== CLIENT && file !== WORLD);
}
