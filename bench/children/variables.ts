/** Parses arguments of the form `NAME=value` as environment variables. Settings are read from these variables. */
export function variablesOf(args: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    args.map((arg) => {
      const end = arg.indexOf('=');
      return [arg.slice(0, end), arg.slice(end + 1)];
    }),
  );
}
