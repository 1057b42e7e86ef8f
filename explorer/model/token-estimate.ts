/**
 * Estimates the tokens of a text: one token per three bytes of UTF-8. English text and SQL have about four characters per token, so the
 * estimate is usually too high. In scripts with one token per character, a character has three bytes.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

const BYTES_PER_TOKEN = 3;
