import { mkdir } from 'node:fs/promises';
import { createOwnFolder, type OwnFolder } from '../../own-folder.js';
import type { EmbeddedOptions } from './options.js';

/** Creates the folder of intermediate results. With the same folder, two databases overwrite the files of each other. */
export async function createTemporary({ tempDirectory: parent }: EmbeddedOptions): Promise<OwnFolder | undefined> {
  if (parent === undefined) return undefined;
  await mkdir(parent, { recursive: true });
  return createOwnFolder(parent, 'database');
}
