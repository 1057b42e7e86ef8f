import type { DuckDBConnection } from '@duckdb/node-api';
import type { EmbeddedDatabase } from '../../databases/duckdb/embedded.js';

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

export async function readLedger(database: EmbeddedDatabase): Promise<KnownFile[]> {
  return database.maintain(async (connection) => {
    const reader = await connection.runAndReadAll('SELECT digest, bytes, source FROM import_files');
    return reader.getRowsJS().map(([digest, bytes, source]) => ({
      digest: String(digest),
      bytes: Number(bytes),
      source: String(source),
    }));
  });
}

/** `importedAt`: `YYYY-MM-DD HH:MM:SS` in UTC. */
export async function writeLedger(
  connection: DuckDBConnection,
  files: readonly LedgerFile[],
  importedAt: string,
): Promise<void> {
  const statement = await connection.prepare(
    'INSERT INTO import_files VALUES ($1, $2, $3, $4, $5, $6, $7, $8::TIMESTAMP, $9::TIMESTAMP, $10, $11::TIMESTAMP)',
  );
  for (const file of files) {
    statement.bind([
      file.digest,
      file.name,
      file.source,
      BigInt(file.bytes),
      BigInt(file.events),
      BigInt(file.alreadyThere),
      BigInt(file.broken),
      file.firstEventAt,
      file.lastEventAt,
      JSON.stringify(file.byType),
      importedAt,
    ]);
    await statement.run();
  }
}
