/**
 * Finds the objects in JSON text without line breaks between them, such as one archive file of 2012. The text arrives in buffers of
 * any size. Only the incomplete object is kept in memory.
 */
export class ConcatenatedObjects {
  /** The number of rejected parts: objects above the size limit, and ranges of bytes between objects. */
  rejected = 0;
  readonly #maxBytes: number;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #isBetweenObjects = false;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the bytes of each object that ends in this piece of the text. */
  push(piece: Buffer): Buffer[] {
    const complete: Buffer[] = [];
    let start = this.#depth === 0 ? piece.length : 0;
    for (let index = 0; index < piece.length; index++) {
      const wasOutside = this.#depth === 0;
      this.#step(piece[index] as number);
      if (wasOutside && this.#depth === 1) start = index;
      if (!wasOutside && this.#depth === 0) {
        this.#keep(piece.subarray(start, index + 1));
        const object = this.#take();
        if (object !== undefined) complete.push(object);
        start = piece.length;
      }
    }
    this.#keep(piece.subarray(start));
    return complete;
  }

  /** Returns the incomplete object at the end of the text. The result is empty if the last object is complete. */
  rest(): Buffer {
    return this.#take() ?? Buffer.alloc(0);
  }

  #step(byte: number): void {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) this.#inString = false;
    } else if (byte === OPEN) {
      this.#depth++;
      this.#isBetweenObjects = false;
    } else if (this.#depth > 0) {
      if (byte === CLOSE) this.#depth--;
      else if (byte === QUOTE) this.#inString = true;
    } else if (byte > SPACE && !this.#isBetweenObjects) {
      this.#isBetweenObjects = true;
      this.rejected++;
    }
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#bytes += piece.length;
    if (this.#bytes <= this.#maxBytes) this.#pieces.push(piece);
    else this.#pieces = [];
  }

  #take(): Buffer | undefined {
    const isTooLong = this.#bytes > this.#maxBytes;
    const object = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#bytes = 0;
    if (isTooLong) this.rejected++;
    return isTooLong ? undefined : object;
  }
}

const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const SPACE = 0x20;
