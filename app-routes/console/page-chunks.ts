import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file in Vite's manifest. */
interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
  readonly isEntry?: boolean;
}

type Manifest = Readonly<Record<string, Chunk>>;

/**
 * Returns a function that writes the tags with which a page loads its scripts and styles in parallel to the first script. The argument is
 * the source file of the page. `folder` contains the built console.
 */
export function createChunkTags(folder: string): (source: string) => string {
  const manifest = readManifest(folder);
  return (source) => writeTags(manifest, source);
}

/** Returns the style sheets that every page of the console loads, so that other pages can have the same style. */
export function readEntryStyles(folder: string): readonly string[] {
  return Object.values(readManifest(folder))
    .filter(({ isEntry }) => isEntry === true)
    .flatMap(({ css = [] }) => css);
}

function readManifest(folder: string): Manifest {
  const file = join(folder, '.vite/manifest.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {};
}

function writeTags(manifest: Manifest, source: string): string {
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry === true);
  const loaded = chunksOf(manifest, entries);
  const chunks = [...chunksOf(manifest, [source])].filter((key) => !loaded.has(key));
  const found = chunks.flatMap((key) => manifest[key] ?? []);
  return [
    ...found.flatMap(({ css = [] }) => css.map((href) => `<link rel="stylesheet" crossorigin href="${href}">`)),
    ...found.map(({ file }) => `<link rel="modulepreload" crossorigin href="${file}">`),
  ].join('');
}

/** Returns these chunks and all chunks that they import, directly or indirectly. */
function chunksOf(manifest: Manifest, keys: readonly string[], found = new Set<string>()): Set<string> {
  for (const key of keys) {
    const chunk = manifest[key];
    if (chunk === undefined || found.has(key)) continue;
    found.add(key);
    chunksOf(manifest, chunk.imports ?? [], found);
  }
  return found;
}
