import type { ParameterDefinition } from '../../../engine/index.js';
import type { CatalogueEntry, QuestionPattern } from '../matching/catalogue-index.js';

type Values = Readonly<Record<string, string>>;

/** Writes a question of a definition with parameter values, such as `Star history of a/b, per week?` */
export function writeQuestion(
  entry: CatalogueEntry,
  pattern: QuestionPattern,
  values: Values,
  collectionName: (id: string) => string,
): string {
  const { sentence, ending } = writeSentence(entry, pattern, values, collectionName);
  return sentence + ending;
}

/** Writes the question as a sentence, and separately its ending: a question mark, or nothing if it is not a question. */
export function writeSentence(
  entry: CatalogueEntry,
  { text, parameters }: QuestionPattern,
  values: Values,
  collectionName: (id: string) => string,
): { readonly sentence: string; readonly ending: string } {
  const [collection] = entry.entities.collection ?? [];
  const isName = (name: string) => Object.values(entry.entities).some((names) => names.includes(name));
  const filled = text.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name] ?? place;
    if (name === collection) return collectionName(value);
    return isName(name) ? value.replaceAll(',', ', ') : plainText(value);
  });
  const details = Object.entries(values)
    .filter(([name]) => !parameters.includes(name))
    .map(([name, value]) => describeParameter(name, value, entry.parameters[name]));
  const sentence = [filled.charAt(0).toUpperCase() + filled.slice(1), ...details].join(', ');
  return { sentence, ending: QUESTION_WORD.test(text) ? '?' : '' };
}

/** Converts an enum value or name to plain text: `past_28_days` → `past 28 days`. */
export function plainText(text: string): string {
  return text.replaceAll('_', ' ');
}

const QUESTION_WORD = /^(?:(?:from|in|to) )?(?:who|what|which|where|how)\b/i;

function describeParameter(name: string, value: string, parameter: ParameterDefinition | undefined): string {
  const [, excluded] = /^exclude_(.+)$/.exec(name) ?? [];
  if (excluded !== undefined) return `${value === 'true' ? 'excluding' : 'including'} ${plainText(excluded)}`;
  if (parameter?.format === 'date') return `${plainText(name)} ${value}`;
  if (name === 'page_size') return `the first ${value} rows`;
  if (parameter?.enum?.some((one) => String(one).endsWith('-desc')) === true) {
    return `sorted by ${plainText(value).replace(/-desc$/, ', descending')}`;
  }
  return parameter?.enum?.includes('week') === true ? `per ${value}` : `${plainText(name)} ${plainText(value)}`;
}
