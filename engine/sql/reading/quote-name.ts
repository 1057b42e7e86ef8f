import { RESERVED_WORDS } from './reserved-words.js';

/** Writes a name of SQL, in backticks if it is a reserved word or has other characters than letters, digits and _. */
export function quoteName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) && !RESERVED_WORDS.has(name.toUpperCase()) ? name : `\`${name}\``;
}
