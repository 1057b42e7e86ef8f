/** Estimates the bytes of all files of an import from those whose size is known. */
export class ExpectedBytes {
  readonly #files: number;
  readonly #withSize = new Set<number>();
  #bytes = 0;
  #withoutSize = 0;

  constructor(files: number) {
    this.#files = files;
  }

  /** Adds the size of a file that was opened. */
  addSize(file: number, bytes: number): void {
    this.#withSize.add(file);
    this.#bytes += bytes;
  }

  /** Adds a file that has ended. Nothing was read from it if its size is not known. */
  addEnd(file: number): void {
    if (!this.#withSize.has(file)) this.#withoutSize++;
  }

  /** Returns the sum of the known sizes, with their mean for each file that was not opened yet. */
  total(): number {
    const opened = this.#withSize.size;
    if (opened === 0) return 0;
    return this.#bytes + Math.round((this.#bytes / opened) * (this.#files - opened - this.#withoutSize));
  }
}
