/**
 * Creates a function that replaces the key in texts of a server, which could return it. Parts of a JSON text are changed
 * too, because escape sequences can hide the key.
 */
export function createKeyHider(key: string | undefined): <T>(value: T) => T {
  if (key === undefined || key.length < MIN_LENGTH) return (value) => value;
  const forms = [...new Set([key, encodeURIComponent(key), Buffer.from(key).toString('base64')])];
  const hideIn = (text: string): string => forms.reduce((hidden, form) => hidden.replaceAll(form, '…'), text);
  const hide = (value: unknown): unknown => {
    if (typeof value === 'string') return hideIn(value);
    if (Array.isArray(value)) return value.map(hide);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [hideIn(name), hide(member)]));
  };
  return hide as <T>(value: T) => T;
}

/** Shorter keys, such as `ollama`, are words that an answer can contain, and not secrets. */
const MIN_LENGTH = 8;
