import { RESERVED_WORDS } from './reserved-words.js';

/** Writes an SQL name, in backticks if it is a reserved word or contains characters other than letters, digits and _. */
export function quoteName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) && !RESERVED_WORDS.has(name.toUpperCase()) ? name : `\`${name}\``;
}
