/**
 * Collects records as the bytes of their text. Some records are joined before they are converted, which costs less than one by one;
 * more would have to live through collections of garbage as strings.
 */
export class TextBuffer {
  #bytes = Buffer.alloc(0);
  #length = 0;
  #waiting = '';
  #waitingRecords = 0;
  #expected = FIRST_BYTES;

  add(record: string): void {
    this.#waiting += record;
    this.#waitingRecords += 1;
    if (this.#waitingRecords === JOINED_RECORDS) this.#convert();
  }

  /** Returns all bytes since the last call. */
  take(): Buffer {
    this.#convert();
    const bytes = this.#bytes.subarray(0, this.#length);
    this.#expected = Math.max(FIRST_BYTES, this.#length + this.#length / 8);
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
    return bytes;
  }

  #convert(): void {
    this.#reserve(this.#waiting.length * MAX_BYTES_PER_UNIT);
    this.#length += this.#bytes.write(this.#waiting, this.#length);
    this.#waiting = '';
    this.#waitingRecords = 0;
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#expected, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

const JOINED_RECORDS = 16;
const FIRST_BYTES = 16 * 1024;
/** UTF-8 needs at most three bytes for each unit of a string. */
const MAX_BYTES_PER_UNIT = 3;
