import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedDatabase, openEmbedded } from '../../../databases/duckdb/embedded.js';
import type { EmbeddedOptions } from '../../../databases/duckdb/options.js';

/** An empty folder, which is removed with the others of the run. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'embedded-'));
}

/** A database in a folder of its own, unless `options` names a file. */
export function opened(options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedDatabase> {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'staging'));
  return openEmbedded({
    file: join(folder, 'test.db'),
    memoryLimit: '1GB',
    threads: 2,
    readers: 2,
    tempDirectory: join(folder, 'temp'),
    stagingDirectory: join(folder, 'staging'),
    ...options,
  });
}
