/** The longest `provider|id` that is taken: both are the key of an account. */
export const MAX_SUBJECT_LENGTH = 191;

/** Text that is told of an account, as it is kept; empty where nothing is told, undefined where it cannot be kept. */
export function accountText(value: unknown): string | undefined {
  const text = value ?? '';
  return typeof text === 'string' && text.length <= MAX_TEXT_LENGTH && !UNSTORABLE.test(text) ? text : undefined;
}

/** The address of a picture. One that cannot be kept is no reason to keep anybody out. */
export function pictureAddress(picture: unknown): string {
  if (typeof picture !== 'string' || picture.length > MAX_ADDRESS_LENGTH || UNSTORABLE.test(picture)) return '';
  return URL.canParse(picture) && /^https?:/.test(picture) ? picture : '';
}

export const MAX_TEXT_LENGTH = 255;
const MAX_ADDRESS_LENGTH = 1_024;

/** Nor what makes a name look like another one: ends of lines and turns of the direction of writing. */
const UNSTORABLE = /[\p{Cc}\p{Cs}\u2028-\u202E\u2066-\u2069]/u;
