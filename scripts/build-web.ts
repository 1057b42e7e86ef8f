import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createOwnFolder } from '../engine/databases/own-folder.js';
import { keepLastFiles } from './keep-last-files.js';
import { replaceFolder } from './replace-folder.js';

// Builds the console (web/) into dist/web, if a source file is newer than the last build. `--force` always builds. If a build is
// interrupted, the last complete build is kept.

const INPUTS = ['web', 'engine/charts', 'scripts/world-map.ts', 'engine/http/description/client', 'package-lock.json'];
const OUT = 'dist/web';
const RESULT = `${OUT}/index.html`;
const CLIENT = 'web/api/generated/client.ts';
const WORLD = 'engine/charts/generated/world.json';

const started = new Date();
if (process.argv.includes('--force') || isOutdated()) {
  // These modules are only loaded if they are needed, because every start of the service runs this script.
  const { writeClient } = await import('../engine/http/description/client/write-client.js');
  const { build } = await import('vite');
  // The generated client has no definitions, because the console calls all definitions by name.
  writeFileIfChanged(CLIENT, writeClient([]));
  const { worldMap } = await import('./world-map.js');
  writeFileIfChanged(WORLD, worldMap());
  const own = await createOwnFolder(dirname(OUT), basename(OUT));
  // The build is in a subfolder, because its permissions must let other accounts read the console, unlike those of the temporary folder.
  const folder = join(own.path, 'web');
  await build({ configFile: 'web/vite.config.ts', logLevel: 'warn', build: { outDir: folder } });
  const { compressFiles } = await import('./compress-web.js');
  await compressFiles(join(folder, 'assets'));
  // The build gets the time of its start, because a file that was changed after that may not be included.
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
