/** One setting: its environment variable, how its text is read, what it is without one, and what it means. */
export interface Setting<T> {
  readonly name: string;
  /** The form that help and errors show, such as `<port>`. */
  readonly form: string;
  readonly defaultText: string | undefined;
  readonly help: string;
  /** Throws an Error whose message says what was expected. */
  readonly read: (text: string) => T;
  readonly isSecret?: boolean;
}

export function number(name: string, defaultText: string, help: string, least: number, most: number): Setting<number> {
  const read = (source: string) => {
    const value = Number(source);
    if (/^\d+$/.test(source) && value >= least && value <= most) return value;
    throw new Error(`a whole number from ${least} to ${most}`);
  };
  return { name, form: '<number>', defaultText, help, read };
}

export function text(
  name: string,
  form: string,
  defaultText: string,
  help: string,
  check: (source: string) => string = (source) => source,
): Setting<string> {
  return { name, form, defaultText, help, read: check };
}

export function optional(
  name: string,
  form: string,
  help: string,
  check: (source: string) => string = (source) => source,
): Setting<string | undefined> {
  return { name, form, defaultText: undefined, help, read: check };
}

/** A setting whose value is shown to nobody. */
export function secret(name: string, help: string, check: (source: string) => string): Setting<string | undefined> {
  return { ...optional(name, '<secret>', help, check), isSecret: true };
}

export function choice<T extends string>(name: string, values: readonly T[], defaultText: T, help: string): Setting<T> {
  const read = (source: string) => {
    const value = values.find((candidate) => candidate === source);
    if (value !== undefined) return value;
    throw new Error(`one of ${values.join(', ')}`);
  };
  return { name, form: values.join('|'), defaultText, help, read };
}
