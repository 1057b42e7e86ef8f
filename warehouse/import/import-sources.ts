import { mkdir } from 'node:fs/promises';
import { createOwnFolder } from '../../engine/databases/own-folder.js';
import { AlreadyRunningError, type Store } from '../store/store.js';
import { findSources } from './files/sources.js';
import type { ImportOptions } from './import-options.js';
import { ImportRun } from './import-run.js';
import { KnownFiles } from './known-files.js';
import { mapInOrder } from './map-in-order.js';
import { closeSource, openSource } from './open-source.js';
import { type ImportSummary, summarize } from './summary.js';

/** The error if another import is running on the database. Only one import can use the staging tables. */
export class ImportRunningError extends Error {
  override readonly name = 'ImportRunningError';

  constructor(readonly holder: string) {
    super(`Another import is running on this database, in ${holder}. Start this one again when it has ended.`);
  }
}

/**
 * Imports files, folders, URLs and hour ranges (see `findSources`). Each transaction contains complete files: after a crash at any
 * time, repeating the import gives the same result as one import without a crash. An error of one file is in its outcome and does
 * not stop the others. With `again`, rows of earlier imports of the files and of their hours are replaced, with all derived tables, in the same
 * transaction. Throws `SourceError` and `ImportRunningError`.
 */
export async function importSources(
  store: Store,
  words: readonly string[],
  options: ImportOptions,
): Promise<ImportSummary> {
  return store
    .runExclusively(IMPORT, WAIT_SECONDS, () => importAll(store, words, options))
    .catch((error: unknown) => {
      throw error instanceof AlreadyRunningError ? new ImportRunningError(error.holder) : error;
    });
}

/** The name of the work that uses the staging tables. */
export const IMPORT = 'import';

/**
 * The time that a server may need to detect that the process of another import was killed, and that the events of feeds may need,
 * which use the staging tables for one transaction.
 */
const WAIT_SECONDS = 10;

async function importAll(store: Store, words: readonly string[], options: ImportOptions): Promise<ImportSummary> {
  const sources = await findSources(words, options.archiveUrl);
  const started = performance.now();
  await mkdir(options.stagingDirectory, { recursive: true });
  const folder = await createOwnFolder(options.stagingDirectory, 'import');
  const run = new ImportRun(
    store,
    folder.path,
    sources.length,
    options,
    options.again === true ? new KnownFiles() : await KnownFiles.read(store),
  );
  try {
    const opened = mapInOrder(
      sources,
      options.concurrency ?? 4,
      (source, file) => openSource(source, file, run.sourceOptions),
      closeSource,
    );
    const outcomes = await run.importAll(opened);
    await store.optimize();
    const seconds = (performance.now() - started) / 1000;
    return summarize(outcomes, seconds, outcomes.length < sources.length);
  } finally {
    // If an import fails, files that are still being unpacked can appear during the deletion. The next import removes
    // the remaining files.
    await folder.remove().catch(() => undefined);
  }
}
