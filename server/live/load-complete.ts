import { setTimeout as pause } from 'node:timers/promises';

/** An editor that replaces a file removes it for a moment. A missing file is read again after this time. */
export const REPLACE_MS = 100;

/** Loads files. If a file that existed before is missing, loads them again after a pause, because an editor may be replacing the file. */
export async function loadComplete<Loaded>(
  load: () => Promise<Loaded>,
  expected: readonly { readonly file: string }[],
  all: (loaded: Loaded) => readonly { readonly file: string }[],
): Promise<Loaded> {
  const loaded = await load();
  const files = new Set(all(loaded).map(({ file }) => file));
  if (expected.every(({ file }) => files.has(file))) return loaded;
  await pause(REPLACE_MS);
  return load();
}
