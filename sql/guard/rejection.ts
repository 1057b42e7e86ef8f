/** SQL that is not run. `reason` names what was met and what is expected; `position` is its place in the text, from 0. */
export class SqlRefusedError extends Error {
  override readonly name = 'SqlRefusedError';

  constructor(
    readonly reason: string,
    readonly position: number,
  ) {
    super(reason);
  }
}

/** A name of the parser's tree; `span` counts characters of the text that the parser reads. */
export interface PlacedName {
  readonly name: string;
  readonly span: { readonly start: number };
}

/** The place of a refusal: a word of the SQL, and the first name within or after it. */
export interface Pointer {
  readonly word: string;
  readonly name: PlacedName | undefined;
}

/** A refusal that does not know its place in the text yet. */
export class RefusedWord extends Error {
  constructor(
    readonly reason: string,
    readonly pointer: Pointer,
  ) {
    super(reason);
  }
}

/**
 * Throws a refusal that points at `word`. Where the word is a function, `tree` holds the arguments of the call. Without a
 * word it points at the first name in `tree`, which is any part of the parser's tree.
 */
export function refuse(reason: string, word = '', tree?: unknown): never {
  throw new RefusedWord(reason, { word, name: leftmost(tree) });
}

function leftmost(tree: unknown): PlacedName | undefined {
  if (typeof tree !== 'object' || tree === null) return undefined;
  const { name, span } = tree as Partial<PlacedName>;
  if (typeof name === 'string' && span) return { name, span };
  const names = Object.values(tree).flatMap((part) => leftmost(part) ?? []);
  return names.sort((one, other) => one.span.start - other.span.start)[0];
}
