/** The properties of every setting. */
interface Described {
  /** The name of the environment variable. */
  readonly name: string;
  readonly help: string;
  /** The text that follows "Set it when …" in the documentation: why two deployments need different values. */
  readonly when: string;
}

/** One setting: its environment variable, its default and how its text is parsed. */
export interface Setting<T> extends Described {
  /** The placeholder for the value in help and errors, such as `<port>`. */
  readonly form: string;
  readonly defaultText: string | undefined;
  /** Parses the text. Throws an Error whose message states what is expected. */
  readonly parse: (text: string) => T;
  /** Converts a value to a text that `parse` accepts. Absent if `String(value)` is such a text. */
  format?(value: T): string;
  readonly isSecret?: boolean;
}

interface Range {
  readonly least: number;
  readonly most: number;
}

/** The properties `form` and `parse` of a setting whose value is a text. */
interface TextForm {
  readonly form: string;
  readonly parse?: (text: string) => string;
}

export function number({ default: value, least, most, ...described }: Described & Range & { default: number }) {
  return { ...described, form: '<number>', defaultText: String(value), parse: wholeNumber({ least, most }) };
}

export function optionalNumber({ least, most, ...described }: Described & Range): Setting<number | undefined> {
  return { ...described, form: '<number>', defaultText: undefined, parse: wholeNumber({ least, most }) };
}

export function text({
  default: defaultText,
  ...setting
}: Described & TextForm & { default: string }): Setting<string> {
  return { parse: asGiven, ...setting, defaultText };
}

/** Creates a setting whose value is a number of bytes. */
export function bytes({ default: defaultText, ...described }: Described & { default: string }): Setting<number> {
  return { ...described, form: '<size>', defaultText, parse: parseBytes, format: formatBytes };
}

export function optionalText(setting: Described & TextForm): Setting<string | undefined> {
  return { parse: asGiven, ...setting, defaultText: undefined };
}

/** Creates a setting whose value is never shown. */
export function secret(setting: Described & Pick<TextForm, 'parse'>): Setting<string | undefined> {
  return { ...optionalText({ ...setting, form: '<secret>' }), isSecret: true };
}

export function choice<T extends string>({
  values,
  default: defaultText,
  ...described
}: Described & { readonly values: readonly T[]; readonly default: NoInfer<T> }): Setting<T> {
  const parse = (source: string) => {
    const value = values.find((candidate) => candidate === source);
    if (value !== undefined) return value;
    throw new Error(`one of ${values.join(', ')}`);
  };
  return { ...described, form: values.join('|'), defaultText, parse };
}

function parseBytes(source: string): number {
  const [, amount, prefix = '', binary = ''] = /^(\d{1,9}(?:\.\d{1,3})?) ?(?:([kmg])(i?)b)?$/i.exec(source) ?? [];
  const unit = (binary === '' ? 1_000 : 1_024) ** ['', 'k', 'm', 'g'].indexOf(prefix.toLowerCase());
  // Calculates with integers, because of rounding errors: 4.35 * 1000 is less than 4350.
  const value = Math.floor((Math.round(Number(amount) * 1_000) * unit) / 1_000);
  if (amount !== undefined && (prefix !== '' || value === 0)) return value;
  throw new Error('a size such as 64MB, or 0');
}

/** Returns the shortest text that `parseBytes` reads as this number of bytes. */
function formatBytes(value: number): string {
  if (value === 0) return '0';
  const units = SIZE_UNITS.filter(([, bytes]) => value / bytes < MAX_AMOUNT);
  const texts = units.map(([unit, bytes]) => `${Number((value / bytes).toFixed(3))}${unit}`);
  const exact = texts.filter((text) => parseBytes(text) === value);
  return exact.reduce((best, text) => (text.length < best.length ? text : best));
}

/** `parseBytes` accepts at most nine digits before the point. */
const MAX_AMOUNT = 1e9 - 1;

const SIZE_UNITS: readonly (readonly [string, number])[] = [
  ['GB', 1_000 ** 3],
  ['MB', 1_000 ** 2],
  ['kB', 1_000],
  ['GiB', 1_024 ** 3],
  ['MiB', 1_024 ** 2],
  ['KiB', 1_024],
];

function wholeNumber({ least, most }: Range): (source: string) => number {
  return (source) => {
    const value = Number(source);
    if (/^\d+$/.test(source) && value >= least && value <= most) return value;
    throw new Error(`a whole number from ${least} to ${most}`);
  };
}

function asGiven(source: string): string {
  return source;
}
