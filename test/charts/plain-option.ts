/** Replaces the functions of an option by their name, so that options can be compared. */
export function withoutFunctions(option: unknown): unknown {
  return JSON.parse(JSON.stringify(option, (_, value: unknown) => (typeof value === 'function' ? 'function' : value)));
}
