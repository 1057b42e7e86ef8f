/** A template that was converted from foreign SQL, with the position of every character in the foreign file. */
export interface TemplateText {
  readonly text: string;
  /** Converts an offset in `text` to an offset in the foreign file. */
  sourceOffset(offset: number): number;
}

interface Piece {
  readonly text: string;
  readonly at: number;
  /** Whether the text was copied from the foreign file. If it was not copied, all its characters have the position `at`. */
  readonly isCopied: boolean;
}

/** Collects the pieces of a template. */
export class TemplateTextWriter {
  readonly #pieces: Piece[] = [];

  copy(text: string, at: number): void {
    this.#pieces.push({ text, at, isCopied: true });
  }

  add(text: string, at: number): void {
    this.#pieces.push({ text, at, isCopied: false });
  }

  /** Returns the whole text. */
  whole(): string {
    return this.#pieces.map(({ text }) => text).join('');
  }

  /** Returns the whole text without white space at both ends, and without semicolons at its end. */
  finish(): TemplateText {
    const whole = this.whole();
    const text = whole.trimStart().replace(/[\s;]+$/, '');
    const skipped = whole.length - whole.trimStart().length;
    const starts: number[] = [];
    let length = 0;
    for (const piece of this.#pieces) {
      starts.push(length);
      length += piece.text.length;
    }
    return {
      text,
      sourceOffset: (offset) => {
        const index = Math.max(
          0,
          starts.findLastIndex((start) => start <= offset + skipped),
        );
        const { text: own, at, isCopied } = this.#pieces[index] ?? { text: '', at: 0, isCopied: false };
        const inside = offset + skipped - (starts[index] ?? 0);
        return isCopied ? at + Math.min(inside, Math.max(0, own.length - 1)) : at;
      },
    };
  }
}
