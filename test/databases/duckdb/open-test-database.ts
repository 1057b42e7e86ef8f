import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedOptions } from '../../../engine/databases/duckdb/connection/options.js';
import { type EmbeddedDatabase, openEmbedded } from '../../../engine/databases/duckdb/embedded.js';

/** Creates an empty folder, which is removed at the end of the test run. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'embedded-'));
}

/** Opens a database file in a new folder, or the file in `options`. */
export function openTestDatabase(options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedDatabase> {
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
