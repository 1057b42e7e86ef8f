import { formatPlace, formatProblem, type Problem } from '../problem.js';

/** A part of a definition that works, but probably not as its author expects. `message` is the reason. */
export interface Warning extends Problem {
  readonly rule: RuleName;
  /** What the author should do, as an imperative phrase. */
  readonly fix: string;
}

/** Returns `file:line:column key: reason. Fix [rule]`. */
export function formatWarning(warning: Warning): string {
  const fix = `${warning.fix.charAt(0).toUpperCase()}${warning.fix.slice(1)}`;
  return `${formatProblem(warning)}. ${fix} [${warning.rule}]`;
}

/** Removes repeated warnings, which variants of a template and definitions with the same shared part can have. */
export function deduplicateWarnings(warnings: readonly Warning[]): Warning[] {
  const distinct = new Map<string, Warning>();
  for (const warning of warnings) {
    const key = `${formatPlace(warning)} ${warning.rule}`;
    if (!distinct.has(key)) distinct.set(key, warning);
  }
  return [...distinct.values()].sort(
    (one, other) =>
      compareText(one.file, other.file) ||
      one.line - other.line ||
      one.column - other.column ||
      compareText(one.rule, other.rule),
  );
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** The names of the lint rules. A definition can silence each rule, except `unused-lint`, with a reason under `lint`. */
export const RULES = [
  'and-or-without-parentheses',
  'average-of-averages',
  'compared-with-itself',
  'compared-with-null',
  'date-compared-with-other-type',
  'datetime-compared-with-day',
  'doubtful-date-format',
  'full-scan',
  'last-value-frame',
  'left-join-counted',
  'left-join-filtered',
  'limit-without-order',
  'missing-join-condition',
  'no-data-as-of',
  'not-in-nullable',
  'null-rows-dropped',
  'or-instead-of-concat',
  'outer-column-in-subquery',
  'repeated-sum',
  'select-all-columns',
  'text-compared-with-number',
  'truncated-ratio',
  'unbounded-parameter',
  'unclear-children',
  'ungrouped-column',
  'union-drops-rows',
  'unknown-enum-value',
  'unknown-time-zone',
  'unordered-list',
  'unstable-pages',
  'unstable-row-number',
  'unused-lint',
  'week-without-year',
] as const;

export type RuleName = (typeof RULES)[number];

/** The names that `lint` can contain. */
export const SILENCEABLE_RULES: readonly string[] = RULES.filter((rule) => rule !== 'unused-lint');
