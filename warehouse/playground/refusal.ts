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

/** A refusal that knows the word it is about, but not yet where that stands. */
export class RefusedWord extends Error {
  constructor(
    readonly reason: string,
    readonly word: string,
  ) {
    super(reason);
  }
}

/** Throws a refusal; `word` is a word of the SQL to point at. */
export function refuse(reason: string, word = ''): never {
  throw new RefusedWord(reason, word);
}
