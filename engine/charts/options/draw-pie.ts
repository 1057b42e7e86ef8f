import type { Chart } from '../chart.js';
import { cellText, columnText, fieldOf, labelText, plainText, quantityText } from '../label-text.js';
import { isCompact, type Look, PALETTES, seriesColor } from '../look.js';
import { numberOf, percentText } from '../number-text.js';
import { type ChartFields, type ChartRows, cellOf } from '../result-column.js';
import { type ChartOption, type Drawing, itemsOption } from './drawing.js';

type PieChart = Extract<Chart, { chartName: 'PieChart' }>;

interface Slice {
  readonly label: string;
  readonly fullLabel: string;
  readonly value: number;
}

const MAX_SLICES = 8;
const PART_NOTE = 'Shares of the shown rows. The result has more rows.';

/**
 * Draws the shares of one whole. Each slice shows its label and its percentage, so that readers do not need its colour.
 * `isPart` means that the result has more rows: the percentages are then shares of the shown rows.
 */
export function drawPie(chart: PieChart, fields: ChartFields, rows: ChartRows, look: Look, isPart: boolean): Drawing {
  const palette = PALETTES[look.theme];
  const field = fieldOf(fields, chart.value);
  const all = rows.flatMap((row): Slice[] => {
    const [label, value] = [cellOf(row, chart.label), numberOf(cellOf(row, chart.value))];
    return value === null || value < 0 ? [] : [{ label: labelText(label), fullLabel: cellText(label), value }];
  });
  const slices = combineRest(all);
  const sum = all.reduce((total, { value }) => total + value, 0);
  const textOf = ({ fullLabel, value }: Slice) =>
    `${fullLabel}: ${quantityText(value, field, look.locale)} (${percentText(sum === 0 ? 0 : value / sum, look.locale)})`;
  return {
    option: {
      ...itemsOption(slices, textOf, palette, look),
      series: [pieOption(columnText(field), slices, sum, look)],
    },
    notes: [
      ...(isPart ? [PART_NOTE] : []),
      ...(all.length > slices.length
        ? [`The smallest ${all.length - slices.length + 1} of ${all.length} rows are combined.`]
        : []),
      ...(rows.length > all.length
        ? [`Rows without a value of 0 or more are not shown: ${rows.length - all.length}.`]
        : []),
    ],
    summary: [
      `Pie chart of ${columnText(field)}.`,
      ...(isPart ? [PART_NOTE] : []),
      `${slices.map(textOf).join(', ')}.`,
    ].join(' '),
  };
}

function pieOption(name: string, slices: readonly Slice[], sum: number, look: Look): ChartOption {
  const palette = PALETTES[look.theme];
  return {
    type: 'pie',
    name,
    radius: isCompact(look) ? ['28%', '52%'] : ['38%', '68%'],
    startAngle: 90,
    stillShowZeroSum: false,
    itemStyle: { borderColor: palette.surface, borderWidth: 2 },
    emphasis: { scale: false },
    label: {
      color: palette.text,
      lineHeight: 16,
      width: Math.floor(look.width / (isCompact(look) ? 3.4 : 3.2)),
      overflow: 'truncate',
      ellipsis: '…',
      formatter: ({ dataIndex }: { readonly dataIndex: number }) => {
        const slice = slices[dataIndex];
        if (slice === undefined) return '';
        return plainText(`${slice.label}\n${percentText(sum === 0 ? 0 : slice.value / sum, look.locale)}`);
      },
    },
    labelLine: { lineStyle: { color: palette.softText }, length: 8, length2: 8 },
    data: slices.map(({ label, value }, index) => ({
      name: label,
      value,
      itemStyle: { color: seriesColor(palette, index) },
    })),
  };
}

/** Combines the smallest slices if there are too many. The remaining slices keep their order. */
function combineRest(slices: readonly Slice[]): readonly Slice[] {
  if (slices.length <= MAX_SLICES) return slices;
  const largest = new Set([...slices].sort((a, b) => b.value - a.value).slice(0, MAX_SLICES - 1));
  const rest = slices.filter((slice) => !largest.has(slice));
  const value = rest.reduce((total, slice) => total + slice.value, 0);
  const label = `${rest.length} others`;
  return [...slices.filter((slice) => largest.has(slice)), { label, fullLabel: label, value }];
}
