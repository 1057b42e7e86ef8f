import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileProblem, type Problem } from '../problem.js';

/** A definition file or a shared file. `folder` is the position of its folder in the list of folders. */
export interface DefinitionFile {
  readonly path: string;
  readonly folder: number;
}

/** The files of one load of definitions. These files can be loaded again after the files on the disk have changed. */
export interface StoredFiles {
  readonly files: readonly DefinitionFile[];
  /** The contents by path, also of shared files outside of the folders. A file that could not be read is absent. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/** Whether the engine reads a file with this name or path: `.yaml`, `.yml` and `.json`, but no hidden file and no vocabulary of questions. */
export function isDefinitionFile(path: string): boolean {
  const name = basename(path);
  return /\.(ya?ml|json)$/i.test(name) && !/^(\.|vocabulary\.)/i.test(name);
}

/**
 * Finds the files under folders, in the order of the folders and of their names. The function follows links and visits
 * each real folder once, so that it terminates for cycles of links. Adds a problem for each folder that cannot be read.
 */
export async function findDefinitionFiles(folders: readonly string[], problems: Problem[]): Promise<DefinitionFile[]> {
  const visited = new Set<string>();
  const found: DefinitionFile[] = [];
  for (const [folder, path] of folders.entries()) {
    found.push(...(await filesUnder(path, visited, problems)).map((file) => ({ path: file, folder })));
  }
  return found;
}

async function filesUnder(directory: string, visited: Set<string>, problems: Problem[]): Promise<string[]> {
  const files: string[] = [];
  try {
    const real = await realpath(directory);
    if (visited.has(real)) return [];
    visited.add(real);
    const names = (await readdir(directory)).filter((name) => !name.startsWith('.')).sort();
    for (const name of names) {
      const path = join(directory, name);
      const entry = await stat(path).catch(() => undefined);
      if (entry?.isDirectory()) files.push(...(await filesUnder(path, visited, problems)));
      else if (isDefinitionFile(name)) files.push(path);
    }
  } catch (error) {
    problems.push(fileProblem(directory, 'the directory cannot be read', error));
  }
  return files;
}
