/** The maximum lengths, in characters, of the texts of a model, and the maximum number of its recommended questions. */
export const TEXT_LIMITS = {
  title: 512,
  remark: 600,
  reason: 300,
  question: 200,
  questions: 5,
  /** The whole answer of a model. */
  answer: 20_000,
} as const;

/** Control, format and private characters, separators of lines and paragraphs, and halves of surrogate pairs. */
export const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Returns a text of a model as plain text in one line: without control characters, invisible characters, HTML elements
 * and links, and truncated to a number of characters.
 */
export function cleanText(text: string, maxLength: number): string {
  const plain = text
    .slice(0, MAX_CLEANED)
    .replace(INVISIBLE, ' ')
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\b[a-z][a-z\d+.-]{1,20}:\/\/\S+/gi, '…')
    // A space is inserted after the start of an incomplete element or link, so that it remains text.
    .replace(/<(?=[a-z/!?])/gi, '< ')
    .replace(/\](?=[([:])/g, '] ')
    .replace(/\s+/g, ' ')
    .trim();
  return truncate(plain, maxLength);
}

/** Returns SQL or JSON of a model without control characters except line breaks and tabs. */
export function cleanCode(text: string, maxLength: number): string {
  return truncate(text.replace(CONTROL, ' '), maxLength);
}

/** Longer texts are truncated before they are cleaned, to limit the time. */
const MAX_CLEANED = 5_000;
const CONTROL = /(?![\t\n\r])[\p{Cc}\p{Cs}]/gu;

function truncate(text: string, maxLength: number): string {
  const characters = [...text];
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`;
}
