/** Formats a value of a request for messages: scalars as JSON with at most 60 characters; collections as `a list` or `an object`. */
export function formatValue(value: unknown): string {
  // JSON.stringify would cause a stack overflow for a deeply nested value.
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}

/** The maximum length of a value in a message. */
export const MAX_VALUE_LENGTH = 60;
