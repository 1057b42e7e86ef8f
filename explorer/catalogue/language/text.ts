/** One word of a question. */
export interface Token {
  /** The text as the user wrote it, without surrounding punctuation. */
  readonly text: string;
  /** The word in lower case, with corrected spelling. */
  readonly word: string;
}

/** Returns a question without control and invisible characters, in Unicode normal form, on one line. */
export function cleanQuestion(question: string): string {
  return question
    .normalize('NFKC')
    .replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ')
    .trim();
}

/**
 * Splits a question into words. `/`, `-`, `.`, `_`, `+` and `#` inside of a word are kept, because names contain them. `isWord` determines
 * whether words with a hyphen or slash between them are separate words.
 */
export function readTokens(question: string, isWord: (word: string) => boolean): Token[] {
  const pieces = cleanQuestion(question)
    .replaceAll(/\.{2,}|…/g, ' .. ')
    .replaceAll(/[–—]/g, ' - ')
    .split(SEPARATORS)
    .map((piece) => piece.replace(BEFORE, ''))
    .map(trimEnd);
  return pieces
    .map((piece) => (piece === '..' ? 'to' : /^[-–—]$/.test(piece) ? DASH : piece))
    .filter((piece) => piece === DASH || (piece !== '' && !/^[\p{P}\p{S}]+$/u.test(piece)))
    .flatMap((piece) => splitJoined(piece, isWord))
    .map((text) => ({ text, word: text.toLowerCase() }));
}

/** If a text is `owner/name` or the URL of a repository, returns its owner and name. */
export function readRepositoryName(text: string): readonly [owner: string, name: string] | undefined {
  const path = text.replace(/^https?:\/\//i, '').replace(/^(?:www\.)?github\.com\//i, '');
  const isUrl = path !== text;
  const [owner = '', name = '', ...rest] = path.split(/[/?#]/);
  if (!isUrl && rest.length > 0) return undefined;
  const repository = name.replace(/\.git$/i, '');
  return OWNER.test(owner) && NAME.test(repository) ? [owner, repository] : undefined;
}

/** A dash between two words. Between two times it means `to`. */
export const DASH = '-';
const SEPARATORS = /[\s,;!?()[\]{}<>"“”„«»`|*=¿¡]+/u;
const BEFORE = /^[.:'’‘_~^&$%\\@/+-]+(?=[\p{L}\p{N}])/u;
const OWNER = /^[a-z0-9](?:[a-z0-9-]{0,38})$/i;
const NAME = /^[a-z0-9._-]{1,100}$/i;

/** Removes punctuation and a possessive `'s` from the end. Uses a loop, because a regular expression would take quadratic time. */
function trimEnd(piece: string): string {
  if (piece === '..' || piece === DASH) return piece;
  let end = piece.length;
  while (end > 0 && ".:'’‘_~^&$%\\@/-".includes(piece.charAt(end - 1))) end -= 1;
  const word = piece.slice(0, end);
  return /['’]s$/i.test(word) && word.length > 3 && !/^(?:what|who|how|let|it|that|there)['’]s$/i.test(word)
    ? word.slice(0, -2)
    : word;
}

/** Splits `top-5` and `issues/PRs` into words, but not `reed-stack`. */
function splitJoined(piece: string, isWord: (word: string) => boolean): string[] {
  if (/^https?:/i.test(piece)) return [piece];
  const joinedTop = /^(top|first)[-_]?(\d{1,6})$/i.exec(piece);
  if (joinedTop !== null) return joinedTop.slice(1);
  const duration = /^(\d{1,3})(h|hrs?|d)$/i.exec(piece);
  if (duration !== null) return [duration[1] ?? '', /^d/i.test(duration[2] ?? '') ? 'days' : 'hours'];
  if (isWord(piece.toLowerCase()) || /^[\d/-]+$/.test(piece)) return [piece];
  const parts = piece.split(/[/&:’'-]/).filter((part) => part !== '');
  return parts.length > 1 && parts.every((part) => isWord(part.toLowerCase())) ? parts : [piece];
}
