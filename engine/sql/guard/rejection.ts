/** Thrown for untrusted SQL that must not run. `reason` names the problem and what is expected. `position` is its offset, from 0. */
export class SqlRejectedError extends Error {
  override readonly name = 'SqlRejectedError';

  constructor(
    readonly reason: string,
    readonly position: number,
  ) {
    super(reason);
  }
}

/** A name in the syntax tree, with its position. */
export interface PlacedName {
  readonly name: string;
  readonly span: { readonly start: number };
}

/** Describes the position of a rejection by a word of the SQL, and the first name inside or after this word. */
export interface Pointer {
  readonly word: string;
  readonly name: PlacedName | undefined;
}

/** A rejection whose position in the text is not computed yet. */
export class UnplacedRejection extends Error {
  constructor(
    readonly reason: string,
    readonly pointer: Pointer,
  ) {
    super(reason);
  }
}

/**
 * Throws a rejection that points at `word`. If the word is a function, `tree` contains the arguments of the call. If
 * `word` is empty, the rejection points at the first name in `tree`, which can be any part of the syntax tree.
 */
export function reject(reason: string, word = '', tree?: unknown): never {
  throw new UnplacedRejection(reason, { word, name: findFirstName(tree) });
}

function findFirstName(tree: unknown): PlacedName | undefined {
  if (typeof tree !== 'object' || tree === null) return undefined;
  const { name, span } = tree as Partial<PlacedName>;
  if (typeof name === 'string' && span) return { name, span };
  const names = Object.values(tree).flatMap((part) => findFirstName(part) ?? []);
  return names.sort((one, other) => one.span.start - other.span.start)[0];
}
