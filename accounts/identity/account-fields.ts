/** The longest `provider|id` that is accepted: both are the key of an account. */
export const MAX_SUBJECT_LENGTH = 191;

/** The most characters of a login, a name or an e-mail address. */
export const MAX_TEXT_LENGTH = 255;

/** The id of an account, exactly as the issuer writes it; undefined if it cannot be stored. */
export function accountId(value: unknown, mostCharacters = MAX_SUBJECT_LENGTH): string | undefined {
  if (typeof value !== 'string' || value === '' || value.length > mostCharacters) return undefined;
  return UNSAFE.test(value) ? undefined : value;
}

/**
 * A login in its one spelling: composed (NFC), without spaces around it. Undefined if it is empty, too long or has characters
 * that cannot be seen, because it then looks like another login.
 */
export function readLogin(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_TEXT_LENGTH || INVISIBLE.test(value)) return undefined;
  const login = value.normalize('NFC').trim();
  return login === '' || login.length > MAX_TEXT_LENGTH ? undefined : login;
}

/** A name as far as it can be kept: one line, at most 255 characters; empty if it is not text. */
export function displayName(value: unknown): string {
  if (typeof value !== 'string') return '';
  const line = value
    .slice(0, 4 * MAX_TEXT_LENGTH)
    .replace(CONTROLS_OF_TEXT, '')
    .replace(GAPS, ' ');
  return Array.from(line.normalize('NFC').trim()).slice(0, MAX_TEXT_LENGTH).join('').trimEnd();
}

/** An e-mail address; empty if it cannot be kept as it is, because a part of an address is another address. */
export function emailAddress(value: unknown): string {
  const isKept = typeof value === 'string' && value.length <= MAX_TEXT_LENGTH && !INVISIBLE.test(value);
  return isKept ? value : '';
}

/** The URL of a picture; empty if it cannot be kept. */
export function pictureAddress(picture: unknown): string {
  if (typeof picture !== 'string' || picture.length > MAX_ADDRESS_LENGTH || UNSAFE.test(picture)) return '';
  return URL.canParse(picture) && /^https?:/.test(picture) ? picture : '';
}

const MAX_ADDRESS_LENGTH = 1_024;

/** Control characters, halves of characters, line separators and controls of the direction of text. */
const UNSAFE = /[\p{Cc}\p{Cs}\u2028-\u202E\u2066-\u2069]/u;

/** The same, and every other character without a shape of its own, such as zero-width ones; of spaces U+0020 alone is allowed. */
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;

/** Format characters, without those that join letters and emoji: names of people need them. */
const CONTROLS_OF_TEXT = /\p{Cs}|(?!\u200C|\u200D|[\u{E0020}-\u{E007F}])\p{Cf}/gu;
const GAPS = /[\p{Cc}\p{Z}]+/gu;
