import { UNSUITABLE_IN_TITLE } from './choose-chart.js';
import { formatOf, MISSING } from './column-presentation.js';
import { numberText } from './number-text.js';
import type { ChartCell, ChartField, ChartFields } from './result-column.js';

/** The maximum number of characters of a value in a tooltip. */
const MAX_LENGTH = 200;
/** The maximum number of characters of a label on an axis or in a legend. */
const MAX_LABEL_LENGTH = 40;

/** Returns the text of a cell in one line of limited length, without characters that change the direction of other text. */
export function cellText(cell: ChartCell, length = MAX_LENGTH): string {
  if (cell === null) return '(none)';
  const clean = String(cell).replaceAll(UNSUITABLE, ' ').replaceAll(/\s+/g, ' ').trim();
  const characters = [...clean.slice(0, 2 * length + 2)];
  if (characters.length === 0) return '(empty)';
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : clean;
}

export function labelText(cell: ChartCell): string {
  return cellText(cell, MAX_LABEL_LENGTH);
}

/** Shortens a label. Of `owner/name`, the name is kept as long as possible. */
export function shortLabel(label: string, length: number): string {
  const characters = [...label];
  if (characters.length <= length) return label;
  const slash = label.lastIndexOf('/');
  const end = slash === -1 ? [] : [...label.slice(slash)];
  const room = length - 1 - end.length;
  if (slash > 0 && room >= MIN_OWNER) return `${characters.slice(0, room).join('')}…${end.join('')}`;
  return `${characters.slice(0, length - 1).join('')}…`;
}

const MIN_OWNER = 3;

/** Returns the name of a column or a parameter in words: its label, or else `Sold loaves` for `sold_loaves`. */
export function columnText({ name, label }: Pick<ChartField, 'name' | 'label'>): string {
  return labelText(label ?? `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`);
}

/** Converts an allowed value of a parameter to words: `past_28_days` → `Past 28 days`. Values in another form are returned unchanged. */
export function choiceText(value: string): string {
  return SNAKE_CASE.test(value) ? columnText({ name: value }) : value;
}

const SNAKE_CASE = /^[a-z]+(_[a-z0-9]+)+$/;

/** Returns the name of a column in words, with the unit of its numbers. */
export function headingText(field: Pick<ChartField, 'name' | 'label' | 'unit'>): string {
  return field.unit === undefined ? columnText(field) : `${columnText(field)} (${field.unit})`;
}

export function fieldOf(fields: ChartFields, name: string): ChartField {
  return fields.find((field) => field.name === name) ?? { name, columnType: '' };
}

/** Formats a cell with a number, with its unit. */
export function quantityText(cell: ChartCell, field: ChartField, locale: string): string {
  if (cell === null) return field.nullAs ?? MISSING;
  const text = numberText(cell, locale, formatOf(field));
  return field.unit === undefined ? text : `${text} ${field.unit}`;
}

const UNSUITABLE = new RegExp(UNSUITABLE_IN_TITLE, 'gu');

/** Makes ECharts show a text unchanged. The rich text of ECharts reads `{style|text}` as markup and has no escape character. */
export function plainText(text: string): string {
  return text.replaceAll('{', `{${ZERO_WIDTH_SPACE}`);
}

const ZERO_WIDTH_SPACE = '\u200b';
