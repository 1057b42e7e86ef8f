import { INVISIBLE } from './clean-text.js';

/**
 * Writes untrusted data for a prompt as JSON without `<`, `>`, `&` and line breaks. So the data cannot close the element
 * around it, and cannot look like another part of the prompt. Invisible characters are removed, because they can hide
 * instructions from people.
 */
export function writeData(value: string | readonly string[] | undefined): string {
  const visible = typeof value === 'object' ? value.map(removeInvisible) : value && removeInvisible(value);
  return JSON.stringify(visible ?? null).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}

function removeInvisible(text: string): string {
  return text.replace(INVISIBLE, ' ');
}
