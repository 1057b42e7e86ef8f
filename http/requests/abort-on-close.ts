import type { Response } from 'express';

/** Aborted when the client goes away before its answer is written, so that its query does not run on. */
export function untilClosed(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
