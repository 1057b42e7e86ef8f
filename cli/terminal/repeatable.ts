/** Parses an option that can be repeated: returns all its different values. */
export function repeatable(text: string, earlier: readonly string[]): readonly string[] {
  return earlier.includes(text) ? earlier : [...earlier, text];
}
