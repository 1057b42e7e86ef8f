/**
 * Finds the objects in JSON text that has no line breaks between them, as one file of 2012 has it. Bytes come in any
 * pieces; nothing is kept but the object that is not complete yet.
 */
export class ConcatenatedObjects {
  /** Objects longer than the limit, and runs of bytes that belong to no object. */
  refused = 0;
  readonly #maxBytes: number;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #inRubbish = false;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The objects that end in this piece, each as its bytes. */
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

  /** What is left when the text ends in the middle of an object; empty when it does not. */
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
      this.#inRubbish = false;
    } else if (this.#depth > 0) {
      if (byte === CLOSE) this.#depth--;
      else if (byte === QUOTE) this.#inString = true;
    } else if (byte > SPACE && !this.#inRubbish) {
      this.#inRubbish = true;
      this.refused++;
    }
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#bytes += piece.length;
    if (this.#bytes <= this.#maxBytes) this.#pieces.push(piece);
    else this.#pieces = [];
  }

  #take(): Buffer | undefined {
    const tooLong = this.#bytes > this.#maxBytes;
    const object = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#bytes = 0;
    if (tooLong) this.refused++;
    return tooLong ? undefined : object;
  }
}

const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const SPACE = 0x20;
