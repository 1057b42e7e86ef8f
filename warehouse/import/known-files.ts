import type { Store } from '../store/store.js';
import { type KnownFile, readLedger } from './ledger.js';

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
