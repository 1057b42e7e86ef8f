import { watchFolders } from '../../../../server/live/watch-folders.js';
import type { DevelopedDefinition, SavedDefinition } from './developed-definition.js';

/**
 * Calls `onSaved` with the current state of a definition and with each later state, until the signal is aborted. A newer state aborts the
 * running call and waits for its end. Rejects with the first error that is not caused by an abort.
 */
export async function followDefinition(
  definition: DevelopedDefinition,
  signal: AbortSignal,
  onSaved: (saved: SavedDefinition, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failure = new AbortController();
  const stopped = AbortSignal.any([signal, failure.signal]);
  let round = { abort: new AbortController(), ended: Promise.resolve() };
  let lastLook = Promise.resolve();
  let isWaiting = false;
  const stopRound = () => {
    round.abort.abort();
    return round.ended;
  };
  const run = async (saved: SavedDefinition, { signal: aborted }: AbortController) => {
    await onSaved(saved, aborted).catch((error: unknown) => {
      if (!aborted.aborted) failure.abort(error);
    });
  };
  const look = async () => {
    isWaiting = false;
    if (stopped.aborted) return;
    const saved = await definition.readChange();
    if (saved === undefined || stopped.aborted) return;
    await stopRound();
    if (stopped.aborted) return;
    const abort = new AbortController();
    round = { abort, ended: run(saved, abort) };
  };
  const onChange = () => {
    if (isWaiting) return;
    isWaiting = true;
    lastLook = lastLook.then(look).catch((error: unknown) => failure.abort(error));
  };
  const { folders, ...depth } = definition.watched;
  const stopWatching = await watchFolders(folders, onChange, depth);
  try {
    if (!stopped.aborted) await new Promise((resolve) => stopped.addEventListener('abort', resolve, { once: true }));
  } finally {
    await stopWatching();
    await lastLook;
    await stopRound();
  }
  if (!signal.aborted) failure.signal.throwIfAborted();
}
