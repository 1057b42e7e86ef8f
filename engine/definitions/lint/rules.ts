/** The names of the lint rules. A definition can silence each rule, except `unused-lint`, with a reason under `lint`. */
export const RULES = [
  'and-or-without-parentheses',
  'compared-with-null',
  'date-compared-with-other-type',
  'datetime-compared-with-day',
  'full-scan',
  'left-join-filtered',
  'no-data-as-of',
  'not-in-nullable',
  'or-instead-of-concat',
  'repeated-sum',
  'select-all-columns',
  'text-compared-with-number',
  'unbounded-parameter',
  'ungrouped-column',
  'unstable-pages',
  'unused-lint',
] as const;

export type RuleName = (typeof RULES)[number];

/** The names that `lint` can contain. */
export const SILENCEABLE_RULES: readonly string[] = RULES.filter((rule) => rule !== 'unused-lint');
