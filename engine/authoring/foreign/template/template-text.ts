import { isText, readSegments, type SqlNode } from './sql-nodes.js';

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

/** How a parameter is written in the template. */
export interface ParameterRole {
  /** The name of the parameter in the definition. */
  readonly name: string;
  readonly isList?: boolean;
  /** The values of an enum. Outside of quotes, they can select names and keywords. */
  readonly choices?: readonly (string | number)[];
  /** Whether the values of the enum are inserted outside of quotes as SQL text, instead of being bound. */
  readonly isText?: boolean;
  /** The SQL fragment that each value of the enum selects. */
  readonly fragments?: ReadonlyMap<string, readonly SqlNode[]>;
  /** The reason why the parameter cannot be bound as a value outside of quotes. */
  readonly unsafe?: string;
}

/**
 * The position of a placeholder in SQL. `value`: as a whole expression. `limit`: after LIMIT or OFFSET. `name`: as a
 * part of a name. `literal`: in a quoted text. `comment`: in a comment.
 */
export type PlaceholderUse = 'value' | 'limit' | 'name' | 'literal' | 'comment';

/** Returns the uses of every placeholder, by the name of its parameter. */
export function findUses(nodes: readonly SqlNode[]): ReadonlyMap<string, ReadonlySet<PlaceholderUse>> {
  const uses = new Map<string, Set<PlaceholderUse>>();
  for (const { kind, nodes: inside } of readSegments(nodes)) {
    inside.forEach((node, index) => {
      if (isText(node)) return;
      const use = kind === 'code' ? useInCode(inside, index) : kind;
      uses.set(node.parameter, (uses.get(node.parameter) ?? new Set()).add(use));
    });
  }
  return uses;
}

/** Returns the use of a placeholder outside of quotes and comments. */
export function useInCode(nodes: readonly SqlNode[], index: number): 'value' | 'limit' | 'name' {
  const textOf = (node: SqlNode | undefined) => (node === undefined || !isText(node) ? '' : node.text);
  const [before, after] = [textOf(nodes[index - 1]), textOf(nodes[index + 1])];
  if (/[\w$.]$/.test(before) || /^(?:[\w$.]|\s*\()/.test(after)) return 'name';
  const isNextToPlaceholder = [nodes[index - 1], nodes[index + 1]].some((node) => node !== undefined && !isText(node));
  if (isNextToPlaceholder) return 'name';
  return /\b(?:LIMIT|OFFSET)\s+$/i.test(before) ? 'limit' : 'value';
}
