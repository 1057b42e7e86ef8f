import { type QueryOutline, readOutline } from '../../sql/outline/query-outline.js';
import { findSelectItems } from '../../sql/outline/select-items.js';
import { quoteName } from '../../sql/reading/lexemes.js';
import type { TextChange } from './propose-parameters.js';
import { maskClock } from './read-select.js';
import { type TableMeanings, toKnownColumns } from './table-meaning.js';

/** Thrown for a part of a SELECT that cannot be changed automatically, with its offset. */
export class UnclearSelectError extends Error {
  override readonly name = 'UnclearSelectError';

  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

/** Replaces pieces of a text, which must not overlap. */
export function applyChanges(text: string, changes: readonly TextChange[]): string {
  const sorted = [...changes].sort((one, other) => other.start - one.start);
  return sorted.reduce(
    (changed, { start, end, text: piece }) => changed.slice(0, start) + piece + changed.slice(end),
    text,
  );
}

/**
 * Replaces `*` by the columns that definitions may read: the public columns if the SELECT reads one known table, otherwise the columns that
 * the database returns for `*`. Throws `UnclearSelectError` if `*` is not the only expression.
 */
export function expandStar(
  sql: string,
  outline: QueryOutline,
  tables: TableMeanings,
  described: readonly string[],
): string {
  const place = outline.outputs.findIndex(({ isStar }) => isStar);
  const item = findSelectItems(maskClock(sql))[place];
  if (place < 0 || item === undefined) return sql;
  const [table, ...others] = outline.tables;
  const meaning = others.length === 0 ? tables.get(table ?? '') : undefined;
  const names =
    meaning === undefined
      ? described
      : [...meaning.columns.keys()].filter((name) => described.some((one) => one.toLowerCase() === name));
  const qualifier = /^(.*\.)\*$/s.exec(sql.slice(item.start, item.end))?.[1] ?? '';
  if (outline.outputs.length > 1)
    throw new UnclearSelectError(
      'write the columns instead of *: it is not the only expression of the SELECT',
      item.start,
    );
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    throw new UnclearSelectError(`write the columns instead of *: it returns the column ${repeated} twice`, item.start);
  const columns = names.map((name) => `${qualifier}${quoteName(name)}`);
  const line = columns.join(', ');
  const text = line.length <= 80 ? line : `\n  ${columns.join(',\n  ')}`;
  // The next clause starts on a new line if the list of columns is long.
  const gap = /^\s*/.exec(sql.slice(item.end))?.[0].length ?? 0;
  return applyChanges(sql, [
    { start: item.start, end: item.end + gap, text: `${text}${line.length <= 80 ? ' ' : '\n'}` },
  ]).trimEnd();
}

/** Gives each output column a unique name: expressions get an alias, and repeated names get the name of their table as prefix. */
export function nameColumns(sql: string, tables: TableMeanings): string {
  const { outputs } = readOutline(maskClock(sql), toKnownColumns(tables));
  const items = findSelectItems(maskClock(sql));
  if (items.length !== outputs.length) return sql;
  const taken = new Set(outputs.flatMap(({ name }) => name ?? []));
  const seen = new Set<string>();
  const changes = outputs.flatMap((output, index): TextChange[] => {
    const isRepeated = output.name !== null && seen.has(output.name);
    if (output.name !== null) seen.add(output.name);
    if (output.name !== null && !isRepeated) return [];
    const { call, origin } = output;
    const words = isRepeated ? [origin?.table, output.name] : [call, origin?.column];
    const name = freeName(words.flatMap((word) => word?.toLowerCase() ?? []).join('_'), index, taken);
    taken.add(name);
    const end = items[index]?.end ?? 0;
    return [{ start: end, end, text: ` AS ${quoteName(name)}` }];
  });
  return applyChanges(sql, changes);
}

function freeName(wanted: string, index: number, taken: ReadonlySet<string>): string {
  const base =
    /^[a-z_][a-z0-9_]{0,50}$/.test(wanted) && !/^(literal|add|sub|mul|div)/.test(wanted)
      ? wanted
      : `column_${index + 1}`;
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}_${number}`;
    if (!taken.has(name)) return name;
  }
}
