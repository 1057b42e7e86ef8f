/** The maximum length of `provider|id`, which is the key of an account. */
export const MAX_SUBJECT_LENGTH = 191;

/** The maximum number of characters of a login, a name or an e-mail address. */
export const MAX_TEXT_LENGTH = 255;

/** Returns the id of an account unchanged; undefined if it cannot be stored. */
export function readAccountId(value: unknown, maxLength = MAX_SUBJECT_LENGTH): string | undefined {
  if (typeof value !== 'string' || value === '' || value.length > maxLength) return undefined;
  return UNSAFE.test(value) ? undefined : value;
}

/**
 * Normalizes a login to NFC without surrounding spaces. Returns undefined for an empty or too long login. A login with invisible characters
 * is also rejected, because it looks like a different login.
 */
export function readLogin(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_TEXT_LENGTH || INVISIBLE.test(value)) return undefined;
  const login = value.normalize('NFC').trim();
  return login === '' || login.length > MAX_TEXT_LENGTH ? undefined : login;
}

/** Reduces a name to one line of at most 255 characters. Returns an empty text for other values. */
export function readDisplayName(value: unknown): string {
  if (typeof value !== 'string') return '';
  const line = value
    .slice(0, 4 * MAX_TEXT_LENGTH)
    .replace(FORMAT_CHARACTERS, '')
    .replace(WHITESPACE, ' ');
  return Array.from(line.normalize('NFC').trim()).slice(0, MAX_TEXT_LENGTH).join('').trimEnd();
}

/**
 * Reads an e-mail address. Returns an empty text if the address cannot be stored unchanged, because a truncated address could belong to a
 * different mailbox.
 */
export function readEmailAddress(value: unknown): string {
  const isStorable = typeof value === 'string' && value.length <= MAX_TEXT_LENGTH && !INVISIBLE.test(value);
  return isStorable ? value : '';
}

/** Whether a text is a single address to which e-mail can be sent. Quoted local parts and addresses with an IP address are not accepted. */
export function isEmailAddress(text: string): boolean {
  return (
    text.length <= MAX_ADDRESS_LENGTH &&
    /^[^\s"(),:;<>@[\\\]]+@[^\s"(),:;<>@[\\\]]+$/.test(text) &&
    !INVISIBLE.test(text)
  );
}

/** The maximum length of a path in SMTP (RFC 5321). */
const MAX_ADDRESS_LENGTH = 254;

/** Reads the http or https URL of a picture. Returns an empty text if the URL cannot be stored. */
export function readPictureUrl(picture: unknown): string {
  if (typeof picture !== 'string' || picture.length > MAX_URL_LENGTH || UNSAFE.test(picture)) return '';
  return URL.canParse(picture) && /^https?:/.test(picture) ? picture : '';
}

const MAX_URL_LENGTH = 1_024;

/** Matches control characters, unpaired surrogates, line separators and bidirectional controls. */
const UNSAFE = /[\p{Cc}\p{Cs}\u2028-\u202E\u2066-\u2069]/u;

/** Matches the characters of `UNSAFE`, all other invisible characters (such as zero-width characters), and all spaces except U+0020. */
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;

/** Matches format characters, except those that join letters or emoji, because names of people can contain them. */
const FORMAT_CHARACTERS = /\p{Cs}|(?!\u200C|\u200D|[\u{E0020}-\u{E007F}])\p{Cf}/gu;
const WHITESPACE = /[\p{Cc}\p{Z}]+/gu;
