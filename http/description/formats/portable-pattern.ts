/**
 * Whether the regular expressions of Go, Java, Python and JavaScript (with and without the flag `u`) read a pattern in the same way.
 * Definitions can have other patterns, such as `\p{L}`: RE2 checks their values.
 */
export function isPortablePattern(pattern: string): boolean {
  const withoutEscapes = pattern.replaceAll(PORTABLE_ESCAPE, '_');
  if (OTHER_SYNTAX.some((syntax) => syntax.test(withoutEscapes))) return false;
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

/** Escapes with the same meaning everywhere: these letters, two hexadecimal digits, and characters that become literal. */
const PORTABLE_ESCAPE = /\\(?:[dDwWsSbBtnrf]|x[0-9A-Fa-f]{2}|[$()*+./?[\\\]^{|}-])/g;

const OTHER_SYNTAX = [
  // Other escapes.
  /\\/,
  // Lookaround, names and flags.
  /\(\?(?!:)/,
  // In Java, `[` and `&&` in a character class are operators. RE2 has names of classes, and JavaScript an empty class.
  /\[\^?[^\]]*(?:\[|&&)|\[\^?\]/,
  // Without the flag `u`, JavaScript reads a character beyond 16 bits as two. RE2 has no surrogates.
  /[\p{Cs}\u{10000}-\u{10ffff}]/u,
];
