import type { ConversionLog, SourcePlace } from './conversion.js';

const MAX_SUMMARY = 120;

/** Converts a foreign name or a path to kebab-case: `archive/TopOvens_2` becomes `archive-top-ovens-2`. */
export function toKebabCase(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** Converts the name of a parameter: the result starts with a lower case letter, and contains only letters, digits and `_`. */
export function toParameterName(name: string): string {
  const word = name.replaceAll(/\W/g, '_').replace(/^[^A-Za-z]+/, '');
  return word.charAt(0).toLowerCase() + word.slice(1);
}

/** Reports the conversion of a name, unless the name stays the same. */
export function reportName(log: ConversionLog, place: SourcePlace, key: string, from: string, to: string): void {
  if (from !== to) log.change(place, key, `the name ${from} is now ${to}`);
}

/** Returns `summary` and, for a long text, `description`. Without a text, the summary is derived from the name. */
export function textsOf(
  log: ConversionLog,
  place: SourcePlace,
  name: string,
  description: string | undefined,
): Readonly<Record<string, string>> {
  const text = description?.trim() ?? '';
  if (text === '') {
    log.change(place, 'summary', 'no description: the name is the summary');
    return { summary: sentenceOf(name) };
  }
  const [line = ''] = text.split('\n');
  if (text.length <= MAX_SUMMARY && line === text) return { summary: text };
  const sentence = /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
  const summary = sentence.length > MAX_SUMMARY ? `${sentence.slice(0, MAX_SUMMARY - 1).trimEnd()}…` : sentence;
  return { summary: summary.replace(/\.$/, ''), description: text };
}

/** Returns a name as words: `oven_id` becomes `Oven id`. */
export function sentenceOf(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_]+/g, ' ')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
