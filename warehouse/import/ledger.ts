import type { Store, Tables } from '../store/store.js';

/** A row of the ledger of imported files. Times are `YYYY-MM-DD HH:MM:SS` in UTC, null for a file without events. */
export interface LedgerFile {
  /** The SHA-256 digest of the file's bytes. The digest identifies the file. */
  readonly digest: string;
  readonly name: string;
  /** The path or URL of the file. */
  readonly source: string;
  readonly bytes: number;
  /** The number of events in the file, including duplicates. */
  readonly events: number;
  /** The number of duplicates: events that other files of the same time had already added to the tables. */
  readonly alreadyThere: number;
  readonly broken: number;
  readonly firstEventAt: string | null;
  readonly lastEventAt: string | null;
  readonly byType: Readonly<Record<string, number>>;
}

/** The columns of the ledger that a new import needs. */
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

/** Writes one row per file, and replaces the row of an earlier import. `importedAt` is `YYYY-MM-DD HH:MM:SS` in UTC. */
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

/** The files in the ledger, and the files that this import has read so far. */
export class KnownFiles {
  readonly #byDigest = new Map<string, string>();
  readonly #sizes = new Set<number>();
  readonly #sources = new Set<string>();

  static async read(store: Store): Promise<KnownFiles> {
    const known = new KnownFiles();
    for (const file of await readLedger(store)) known.add(file);
    return known;
  }

  /**
   * Whether a known file has this size. If not, a file of this size is new, and its digest need not be computed before the file is read.
   */
  hasSize(bytes: number): boolean {
    return this.#sizes.has(bytes);
  }

  hasSource(source: string): boolean {
    return this.#sources.has(source);
  }

  /** Returns the reason to skip a file with this content. Undefined if it must be imported. */
  reasonToSkip(digest: string): string | undefined {
    const source = this.#byDigest.get(digest);
    return source === undefined ? undefined : `The file was already imported from ${source}.`;
  }

  /** Adds a file, unless there is a reason to skip it. Returns the reason in that case. */
  add(file: KnownFile): string | undefined {
    const reason = this.reasonToSkip(file.digest);
    if (reason !== undefined) return reason;
    this.#byDigest.set(file.digest, file.source);
    this.#sizes.add(file.bytes);
    this.#sources.add(file.source);
    return undefined;
  }

  /** Removes a file that was added but then rejected. */
  remove(source: string): void {
    for (const [digest, known] of this.#byDigest) if (known === source) this.#byDigest.delete(digest);
    this.#sources.delete(source);
  }
}
