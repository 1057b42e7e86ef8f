import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';

/** Something to import: a file that is here, or an address to download. */
export interface Source {
  readonly name: string;
  /** Absolute path or URL. */
  readonly source: string;
}

export async function filesOf(path: string): Promise<Source[]> {
  const absolute = resolve(path);
  const facts = await stat(absolute).catch(() => undefined);
  if (!facts?.isDirectory()) return [{ name: basename(absolute), source: absolute }];
  const names = await readdir(absolute, { recursive: true });
  return names
    .filter((name) => /\.json(\.gz)?$/.test(name))
    .sort()
    .map((name) => ({ name: basename(name), source: join(absolute, name) }));
}
