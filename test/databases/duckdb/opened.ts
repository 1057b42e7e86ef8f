import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedOptions } from '../../../databases/duckdb/connection/options.js';
import { type EmbeddedDatabase, openEmbedded } from '../../../databases/duckdb/embedded.js';

const folders: string[] = [];

/** An empty folder that is removed when the tests end. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'embedded-'));
  folders.push(folder);
  return folder;
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

after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
