import type { Store, Tables } from '../store/store.js';

/** A row of the ledger. Times are `YYYY-MM-DD HH:MM:SS` in UTC, NULL in a file without events. */
export interface LedgerFile {
  /** SHA-256 of the file's bytes: what makes it this file and no other. */
  readonly digest: string;
  readonly name: string;
  /** The path or URL it came from. */
  readonly source: string;
  readonly bytes: number;
  /** Events in the file, those already there included. */
  readonly events: number;
  /** Events that were in the tables before, from files that share a time with this one. */
  readonly alreadyThere: number;
  readonly broken: number;
  readonly firstEventAt: string | null;
  readonly lastEventAt: string | null;
  readonly byType: Readonly<Record<string, number>>;
}

/** What an import needs to know of earlier ones. */
export interface KnownFile {
  readonly digest: string;
  readonly bytes: number;
  readonly source: string;
}

export async function readLedger(store: Store): Promise<KnownFile[]> {
  const rows = await store.write((tables) => tables.rows('SELECT digest, bytes, source FROM import_files'));
  return rows.map(([digest, bytes, source]) => ({
    digest: String(digest),
    bytes: Number(bytes),
    source: String(source),
  }));
}

/** `importedAt`: `YYYY-MM-DD HH:MM:SS` in UTC. A file that was imported before gets one row all the same. */
export async function writeLedger(tables: Tables, files: readonly LedgerFile[], importedAt: string): Promise<void> {
  for (const { digest } of files) await tables.run('DELETE FROM import_files WHERE digest = :p1', [digest]);
  await tables.insertRows(
    'import_files',
    files.map((file) => [
      file.digest,
      file.name,
      file.source,
      file.bytes,
      file.events,
      file.alreadyThere,
      file.broken,
      file.firstEventAt,
      file.lastEventAt,
      JSON.stringify(file.byType),
      importedAt,
    ]),
  );
}
