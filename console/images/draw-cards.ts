import type { Chart } from '../../engine/charts/chart.js';
import { cellText, columnText, fieldOf, quantityText } from '../../engine/charts/label-text.js';
import { PALETTES } from '../../engine/charts/look.js';
import { type ChartFields, type ChartRow, cellOf } from '../../engine/charts/result-column.js';
import { type Area, cellTexts, type DrawnContent } from './draw-table.js';
import { cutText, svgText, textWidth } from './svg-text.js';

const LOCALE = 'en';
const MAX_SIZE = 56;

/** Draws one large number with its name. */
export function drawNumber(
  chart: Extract<Chart, { chartName: 'NumberCard' }>,
  fields: ChartFields,
  row: ChartRow,
  area: Area,
): DrawnContent {
  const palette = PALETTES[area.theme];
  const field = fieldOf(fields, chart.value);
  const number = quantityText(cellOf(row, chart.value), field, LOCALE);
  const size = Math.min(MAX_SIZE, Math.floor((MAX_SIZE * area.width) / Math.max(1, textWidth(number, MAX_SIZE))));
  const label = chart.label === undefined ? '' : ` · ${cellText(cellOf(row, chart.label))}`;
  const name = `${columnText(field)}${label}`;
  return {
    svg:
      svgText(number, 0, MAX_SIZE, { size, color: palette.text, isBold: true }) +
      svgText(cutText(name, area.width, 14), 0, MAX_SIZE + 26, { size: 14, color: palette.softText }),
    height: MAX_SIZE + 36,
    notes: [],
    summary: `${number} ${name}.`,
  };
}

const LINE = 24;
const NAME_SHARE = 0.4;

/** Draws all columns of one row as pairs of name and value. */
export function drawFacts(fields: ChartFields, row: ChartRow, { theme, width, height = Infinity }: Area): DrawnContent {
  const palette = PALETTES[theme];
  const shown = fields.slice(0, Math.max(1, Math.floor(height / LINE)));
  const left = Math.min(220, Math.floor(width * NAME_SHARE));
  const facts = shown.map((field) => ({ name: columnText(field), text: cellTexts(field, [row]).texts[0] ?? '' }));
  const lines = facts.map(({ name, text }, index) => {
    const y = 15 + index * LINE;
    return (
      svgText(cutText(name, left - 12, 13), 0, y, { size: 13, color: palette.softText }) +
      svgText(cutText(text, width - left, 13), left, y, { size: 13, color: palette.text })
    );
  });
  return {
    svg: lines.join(''),
    height: shown.length * LINE,
    notes: shown.length < fields.length ? [`${shown.length} of ${fields.length} columns are shown.`] : [],
    summary: facts.map(({ name, text }) => `${name}: ${text}`).join(', '),
  };
}
