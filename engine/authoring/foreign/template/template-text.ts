/** A template that was written from foreign SQL. For every character, the place in the foreign file is known. */
export interface TemplateText {
  readonly text: string;
  /** Converts an offset in `text` to an offset in the foreign file. */
  sourceOffset(offset: number): number;
}

interface Piece {
  readonly text: string;
  readonly at: number;
  /** Whether the foreign file contains this text. Otherwise the whole piece has the place `at`. */
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

  /** Returns the text without spaces and semicolons at its end, and without spaces at its start. */
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
