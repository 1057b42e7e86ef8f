import { createHash } from 'node:crypto';

/** The maximum number of characters of a question. */
export const MAX_QUESTION_LENGTH = 512;

/** Removes white space at both ends, and replaces every other run of white space by one space. */
export function foldQuestion(text: string): string {
  return text.trim().replace(/\s+/gu, ' ');
}

/** Returns the key for equal questions: the SHA-256 hash of the normalized text, in hexadecimal. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
