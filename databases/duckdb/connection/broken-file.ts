import { unavailable } from '../../failures.js';

/** A file that could not be written half-way: DuckDB answers nothing any more until it is opened anew. Other errors are given back. */
export function explainStopped(error: unknown): unknown {
  if (!/^FATAL Error|database has been invalidated/.test(textOf(error))) return error;
  return unavailable('The database has stopped, and the service has to be started anew.', error);
}

/** As `explainStopped`; besides, a file that takes no changes for the moment, mostly because the disk is full. */
export function explainUnwritten(error: unknown): unknown {
  if (!/Could not write|No space left|File too large/.test(textOf(error))) return explainStopped(error);
  const stopped = explainStopped(error);
  return stopped === error ? unavailable('The database takes no changes for the moment.', error) : stopped;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
