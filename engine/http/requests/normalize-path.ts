/** Returns the normalized path of a target, without its query string, and without the origin of an absolute target. */
export function pathOf(target: string): string {
  const text = target.startsWith('/') ? target : target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  const end = text.search(/[?#]/);
  return normalizePath(end < 0 ? text : text.slice(0, end));
}

/**
 * Decodes the characters in the path of a target that need no percent-encoding. According to RFC 3986 (6.2.2.2), `%2E`
 * is equal to a full stop, but `%2F` is not equal to a slash.
 */
export function normalizePath(target: string): string {
  if (!target.includes('%')) return target;
  const start = target.indexOf('?');
  const path = start < 0 ? target : target.slice(0, start);
  // A malformed encoding is not decoded, because decoding a part of it could create a new encoding.
  if (MALFORMED.test(path)) return target;
  const decode = (encoded: string) => String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
  return path.replace(UNRESERVED, decode) + target.slice(path.length);
}

const MALFORMED = /%(?![\da-f]{2})/i;
/** The encodings of letters, digits, `-`, `.`, `_` and `~`. */
const UNRESERVED = /%(?:2[de]|3\d|[46][1-9a-f]|5[\daf]|7[\dae])/gi;
