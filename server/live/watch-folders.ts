import { basename } from 'node:path';
import { watch } from 'chokidar';
import { isDefinitionFile } from '../../engine/index.js';

/**
 * The wait for further changes after a change. Editors and version control write several files, or one file in several steps, at about the
 * same time.
 */
const SETTLE_MS = 20;
/** The maximum wait, so that a program that writes all the time cannot delay the reload forever. */
const MAX_SETTLE_MS = 200;
/** chokidar drops a further change of a file in the first 50 ms after a change, so the files are read a second time after this time. */
const AGAIN_MS = 120;
/** The system can lose events, for example if too many arrive at once. So the files are also read at this interval, without an event. */
const POLL_MS = 3_000;

/**
 * Calls `onChange` shortly after definition files under the folders changed, and also every few seconds, because events can get lost.
 * Resolves when all folders are watched. The returned function stops watching. `depth` limits the levels of folders below the given ones.
 */
export async function watchFolders(
  folders: readonly string[],
  onChange: () => void,
  { depth }: { readonly depth?: number } = {},
): Promise<() => Promise<void>> {
  const watcher = watch([...folders], {
    ignoreInitial: true,
    ...(depth !== undefined && { depth }),
    // With `atomic`, the event for a removed file would be delayed, to see whether the file is created again.
    atomic: false,
    ignored: (path, stats) => !folders.includes(path) && isIgnored(basename(path), stats?.isFile() === true),
  });
  const timers = { settle: setTimeout(onChange), again: setTimeout(onChange, AGAIN_MS) };
  let first: number | undefined;
  const settle = () => {
    first = undefined;
    onChange();
  };
  watcher.on('all', () => {
    const now = performance.now();
    first ??= now;
    clearTimeout(timers.settle);
    clearTimeout(timers.again);
    timers.settle = setTimeout(settle, Math.max(0, Math.min(SETTLE_MS, first + MAX_SETTLE_MS - now)));
    timers.again = setTimeout(onChange, AGAIN_MS);
  });
  // Errors of single paths, such as a folder without permission, appear as problems of the reload.
  watcher.on('error', onChange);
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
  const poll = setInterval(onChange, POLL_MS);
  return async () => {
    for (const timer of [timers.settle, timers.again, poll]) clearTimeout(timer);
    await watcher.close();
  };
}

function isIgnored(name: string, isFile: boolean): boolean {
  return name.startsWith('.') || (isFile && !isDefinitionFile(name));
}
