import { createHash } from 'node:crypto';

/** The maximum number of characters of a question. */
export const MAX_QUESTION_LENGTH = 512;

/** Removes white space at both ends, and replaces every other run of white space by one space. */
export function foldQuestion(text: string): string {
  return text.trim().replace(/\s+/gu, ' ');
}

/** The key of equal questions: SHA-256 of the folded text, in hexadecimal digits. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
