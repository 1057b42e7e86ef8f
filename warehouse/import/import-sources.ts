import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { refreshIfDue } from '../derived/refresh.js';
import { AlreadyRunningError, type Store } from '../store/store.js';
import { findSources } from './files/sources.js';
import type { ImportOptions } from './import-options.js';
import { ImportRun } from './import-run.js';
import { inOrder } from './in-order.js';
import { KnownFiles } from './known-files.js';
import { closeSource, openSource } from './open-source.js';
import { type ImportSummary, summarize } from './summary.js';

/** Another import is at work on the database; the staging folder and the workbench are for one at a time. */
export class ImportRunningError extends Error {
  override readonly name = 'ImportRunningError';

  constructor(holder: string) {
    super(`An import is running on this database already, in ${holder}. Start this one again when it has ended.`);
  }
}

/**
 * Imports files, folders, URLs and hour ranges (see `findSources`) in whole files and whole transactions: after a crash at
 * any moment, the same import again gives what one undisturbed import gives. What is wrong with one file is told in its
 * outcome and stops no other. `again` replaces rows of earlier imports, after which every derived table is computed again; where that was
 * interrupted, the next import does it. Throws `SourceError` and `ImportRunningError`.
 */
export async function importSources(
  store: Store,
  words: readonly string[],
  options: ImportOptions,
): Promise<ImportSummary> {
  return store
    .alone('import', WAIT_SECONDS, () => importAll(store, words, options))
    .catch((error: unknown) => {
      throw error instanceof AlreadyRunningError ? new ImportRunningError(error.holder) : error;
    });
}

/** As long as a server may need to notice that a process with an import was killed. */
const WAIT_SECONDS = 2;

async function importAll(store: Store, words: readonly string[], options: ImportOptions): Promise<ImportSummary> {
  const sources = await findSources(words, options.archiveUrl);
  const started = performance.now();
  const folder = join(options.stagingDirectory, 'import');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const run = new ImportRun(
    store,
    folder,
    sources.length,
    options,
    options.again === true ? new KnownFiles() : await KnownFiles.read(store),
  );
  try {
    const opened = inOrder(
      sources,
      options.concurrency ?? 4,
      (source, file) => openSource(source, file, run.sourceOptions),
      closeSource,
    );
    const outcomes = await run.take(opened);
    await refreshIfDue(store);
    await store.optimize();
    const seconds = (performance.now() - started) / 1000;
    return summarize(outcomes, seconds, outcomes.length < sources.length);
  } finally {
    // Files that are being unpacked when an import fails come up meanwhile. What stays, the next import removes.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  }
}
