import { cellFormat } from './cell-format.js';
import { cellText, fieldOf } from './label-text.js';
import { numberOf } from './number-text.js';
import { type ChartFields, type ChartRows, cellOf } from './result-column.js';

/**
 * A place in a sentence for a cell: `{stars}` in the first row, `{last.stars}` in the last row. `{stars|star|stars}` also writes the word after
 * the number, in its singular or plural form.
 */
const PLACE = /\{(last\.)?([A-Za-z_][A-Za-z0-9_]*)(?:\|([^{}|]+)\|([^{}|]+))?\}/g;

/** Returns the columns in a sentence with the offsets of their places, and the offset of a brace that does not belong to a place. */
export function placesOfSentence(template: string): {
  readonly columns: readonly { readonly name: string; readonly at: number }[];
  readonly stray: number | undefined;
} {
  const columns = [...template.matchAll(PLACE)].map(({ 2: name = '', index: at }) => ({ name, at }));
  const stray = template.replaceAll(PLACE, (place) => ' '.repeat(place.length)).search(/[{}]/);
  return { columns, stray: stray < 0 ? undefined : stray };
}

/**
 * Writes a sentence about a result. `isWhole` means that the rows are all rows of the query. Undefined without rows, and for a part of the
 * rows whose last row is not known.
 */
export function writeSentence(
  template: string,
  fields: ChartFields,
  rows: ChartRows,
  { isFirst, isWhole, locale }: { readonly isFirst: boolean; readonly isWhole: boolean; readonly locale: string },
): string | undefined {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined || !isFirst) return undefined;
  if (!isWhole && template.includes('{last.')) return undefined;
  return template.replaceAll(
    PLACE,
    (_, ofLast: string | undefined, name: string, singular?: string, plural?: string) => {
      const row = ofLast === undefined ? first : last;
      const cell = cellOf(row, name);
      const text = cellText(cellFormat(fieldOf(fields, name), [row], locale).format(cell));
      return singular === undefined ? text : `${text} ${numberOf(cell) === 1 ? singular : plural}`;
    },
  );
}
