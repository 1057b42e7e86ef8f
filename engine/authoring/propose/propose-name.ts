import type { QueryOutline } from '../../sql/outline/query-outline.js';
import { firstSentence, type TableMeanings } from './table-meaning.js';

/** The names and routes of existing definitions. */
export interface TakenNames {
  readonly names: ReadonlySet<string>;
  readonly routes: readonly string[];
}

/** Proposes an unused name in kebab-case: the words of the first table, and the columns of GROUP BY. */
export function proposeName(
  { tables: read, groups }: QueryOutline,
  tables: TableMeanings,
  { names }: TakenNames,
): string {
  const base = toKebab(
    `${wordsOf(read[0], tables)}${groups.length === 0 ? '' : ` by ${groups.slice(0, 3).join(' ')}`}`,
  );
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (!names.has(name)) return name;
  }
}

/** Returns text in kebab-case, at most 70 characters long. */
export function toKebab(text: string): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const joined = words
    .join('-')
    .slice(0, 70)
    .replace(/-+$/, '')
    .replace(/^[^a-z]+/, '');
  return joined === '' ? 'endpoint' : joined;
}

/** Proposes a path for a name and its path parameters that matches the URLs of no other route. */
export function proposePath(
  name: string,
  parameters: readonly string[],
  prefix: string,
  { routes }: TakenNames,
): string {
  const inPath = parameters.map((parameter) => `{${parameter}}/`).join('');
  const paths = Array.from(
    { length: 20 },
    (_, index) => `${prefix}/${index === 0 ? name : `${name}-${index + 1}`}/${inPath}`,
  );
  // A route that begins with a parameter can match every path. If no path is free for this reason, only equal routes are excluded.
  const isFree = (path: string) => !routes.some((route) => canOverlap(route, path));
  return (
    paths.find(isFree) ??
    paths.find((path) => !routes.some((route) => shapeOf(route) === shapeOf(path))) ??
    `${prefix}/${name}/${inPath}`
  );
}

function shapeOf(route: string): string {
  return route.replace(/\/$/, '').replaceAll(/\{\w+\}/g, '{}');
}

/** Whether a URL can match both routes. */
function canOverlap(one: string, other: string): boolean {
  const [ones, others] = [one, other].map((route) => route.replace(/\/$/, '').split('/'));
  if (ones === undefined || others === undefined || ones.length !== others.length) return false;
  return ones.every((segment, index) => {
    const opposite = others[index] ?? '';
    return segment === opposite || segment.startsWith('{') || opposite.startsWith('{');
  });
}

/** Proposes a summary: the first table by the columns of GROUP BY, otherwise the description of the first table. */
export function proposeSummary({ tables: read, groups }: QueryOutline, tables: TableMeanings): string {
  const words = wordsOf(read[0], tables);
  const subject = words.charAt(0).toUpperCase() + words.slice(1);
  if (groups.length > 0)
    return `${subject} by ${groups.map((name) => name.replaceAll('_', ' ')).join(', ')}`.slice(0, 120);
  const description = read.length === 1 ? tables.get(read[0] ?? '')?.description : undefined;
  const sentence = description === undefined ? subject : firstSentence(description).replaceAll('`', '');
  return sentence.length <= 120 ? sentence : subject.slice(0, 120);
}

function wordsOf(table: string | undefined, tables: TableMeanings): string {
  if (table === undefined) return 'values';
  return tables.get(table)?.words ?? table.replaceAll(/[^a-z0-9]+/g, ' ');
}
