import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { writeClient } from '../http/description/client/write-client.js';
import { WORLD_FILE, writeWorldMap } from './write-world-map.js';

// Builds the console (web/) into dist/web, if a file that it depends on is newer than the last build. `--force` always builds.

const INPUTS = ['web', 'charts', 'http/description/client', 'package-lock.json'];
const RESULT = 'dist/web/index.html';
const CLIENT = 'web/api/generated/client.ts';

if (process.argv.includes('--force') || isOutdated()) {
  writeClientFile();
  writeWorldMap();
  await build({ configFile: 'web/vite.config.ts', logLevel: 'warn' });
}

/** Writes the typed client for no definition in particular: the console calls all definitions by name. */
function writeClientFile(): void {
  const text = writeClient([]);
  mkdirSync(dirname(CLIENT), { recursive: true });
  if (!existsSync(CLIENT) || readFileSync(CLIENT, 'utf8') !== text) writeFileSync(CLIENT, text);
}

function isOutdated(): boolean {
  if (!existsSync(RESULT) || !existsSync(WORLD_FILE)) return true;
  const built = statSync(RESULT).mtimeMs;
  return INPUTS.flatMap(filesOf).some((file) => statSync(file).mtimeMs > built);
}

function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((file) => join(path, file))
    .filter((file) => file !== CLIENT && file !== WORLD_FILE);
}
