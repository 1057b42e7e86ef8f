import type { Store } from '../store/store.js';
import { type KnownFile, readLedger } from './ledger.js';

/** The files of the ledger and of this import so far. */
export class KnownFiles {
  readonly #byDigest = new Map<string, string>();
  readonly #sizes = new Set<number>();
  readonly #sources = new Set<string>();

  static async read(store: Store): Promise<KnownFiles> {
    const known = new KnownFiles();
    for (const file of await readLedger(store)) known.add(file);
    return known;
  }

  /** Whether a file of this size could be known: only then its digest is worth computing beforehand. */
  hasSize(bytes: number): boolean {
    return this.#sizes.has(bytes);
  }

  hasSource(source: string): boolean {
    return this.#sources.has(source);
  }

  /** Why a file of this content need not be imported; undefined when it must be. */
  twinOf(digest: string): string | undefined {
    const source = this.#byDigest.get(digest);
    return source === undefined ? undefined : `The file is imported already, from ${source}.`;
  }

  /** As `twinOf`, and a file that was not known is known from now on. */
  add(file: KnownFile): string | undefined {
    const twin = this.twinOf(file.digest);
    if (twin !== undefined) return twin;
    this.#byDigest.set(file.digest, file.source);
    this.#sizes.add(file.bytes);
    this.#sources.add(file.source);
    return undefined;
  }

  /** The file was refused after all. */
  forget(source: string): void {
    for (const [digest, known] of this.#byDigest) if (known === source) this.#byDigest.delete(digest);
    this.#sources.delete(source);
  }
}
