/** The words of the command line, each `NAME=value`, as the environment variables that settings are read from. */
export function variablesOf(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    words.map((word) => {
      const end = word.indexOf('=');
      return [word.slice(0, end), word.slice(end + 1)];
    }),
  );
}
