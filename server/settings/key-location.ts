import { join, resolve } from 'node:path';
import type { Settings } from './settings.js';

export type KeySettings = Pick<Settings, 'dataDirectory' | 'keysFile' | 'api'>;

/** Returns the file of the API keys, and the folder for the times of their last use on this machine. */
export function keyLocation({ dataDirectory, keysFile, api }: KeySettings) {
  const file = keysFile === undefined ? join(dataDirectory, 'keys.json') : resolve(api?.folder ?? '', keysFile);
  return { file, useFolder: join(dataDirectory, 'key-use') };
}
