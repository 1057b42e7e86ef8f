import type { Chart } from '../chart.js';
import type { ColumnFormat } from '../column-presentation.js';
import { isRunningTotal } from '../gaps.js';
import { incompletePlaces, openTime, rangesOfTotals, type TimeRange, timesOf } from '../incomplete-times.js';
import {
  cellText,
  columnText,
  fieldOf,
  headingText,
  labelText,
  plainText,
  quantityText,
  shortLabel,
} from '../label-text.js';
import { isCompact, type Look, PALETTES, type Palette, seriesColor } from '../look.js';
import { numberOf, roundedText, shortNumberText } from '../number-text.js';
import { type Bars, readBars } from '../read-bars.js';
import type { Point } from '../read-lines.js';
import {
  type ChartCell,
  type ChartField,
  type ChartFields,
  type ChartRows,
  describeColumns,
} from '../result-column.js';
import { timeOf, timeText, unitOf } from '../time-text.js';
import {
  axisFormat,
  CHARACTER,
  type ChartOption,
  CONTAINED,
  commonOption,
  type Drawing,
  hiddenNote,
  incompleteNote,
  type KnownTimes,
  legendOption,
  OPEN_NOTE,
  valueAxis,
} from './drawing.js';
import { BARS_CHROME, barHeight } from './fitting-height.js';

type BarChart = Extract<Chart, { chartName: 'BarChart' }>;

/** Draws bars in the order of the rows: columns over times and numbers, horizontal bars for all other labels. Incomplete times are pale. */
export function drawBars(
  chart: BarChart,
  fields: ChartFields,
  rows: ChartRows,
  look: Look,
  { incomplete, dataAsOf }: KnownTimes,
): Drawing {
  const palette = PALETTES[look.theme];
  const read = readBars(chart, fields, rows);
  const x = describeColumns(fields, rows).find(({ name }) => name === chart.x);
  const isTime = x?.isTime === true;
  const isVertical = isTime || x?.isNumber === true;
  const { legend, height } = legendOption(
    read.series.map(({ name }) => name),
    palette,
    look,
  );
  const most = isVertical ? Math.floor(look.width / MIN_COLUMN) : countFittingBars(look.height - height, chart, read);
  const bars = firstBars(read, Math.max(MIN_BARS, most));
  const times = isTime ? bars.labels.map(timeOf) : [];
  const points = pointsOf(bars, times);
  const isTotal = points.every((line) => isRunningTotal(line.points));
  const known = timesOf(points);
  const open = isTotal ? undefined : openTime(known, dataAsOf);
  const pale = paleBars(times, known, isTotal ? rangesOfTotals(incomplete) : incomplete);
  const paleOrOpen = new Set([
    ...pale,
    ...times.flatMap((time, place) => (time !== null && time === open ? [place] : [])),
  ]);
  const parts = { chart, fields, bars, numbers: drawnNumbers(chart, bars), palette, look, top: height };
  return {
    option: {
      ...commonOption(palette, look),
      legend,
      ...(bars.series.length > 1 && { aria: PATTERNS }),
      tooltip: tooltipOption(parts),
      ...(isVertical ? verticalOption(parts, times, paleOrOpen) : horizontalOption(parts)),
    },
    notes: [
      ...hiddenNote(read.labels.length - bars.labels.length, read.labels.length, 'bars'),
      ...hiddenNote(read.hidden, read.series.length + read.hidden, 'series'),
      ...stackNotes(chart, bars),
      ...(pale.size > 0 ? [incompleteNote('pale')] : []),
      ...(open === undefined ? [] : [OPEN_NOTE]),
    ],
    summary: summarize(read, (index) => fieldOfSeries(parts, index), look),
  };
}

const MIN_BARS = 3;
const MIN_COLUMN = 14;
/** Bars of several series have patterns too, so that they differ without their colours. */
const PATTERNS = { enabled: true, label: { enabled: false }, decal: { show: true } };

function countFittingBars(height: number, chart: BarChart, { series }: Bars): number {
  return Math.floor((height - BARS_CHROME) / barHeight(chart, series.length));
}

/** Returns the numbers to draw of each series: its values, or their shares of the sum of the known values of their label. */
function drawnNumbers({ stack }: BarChart, { labels, series }: Bars): readonly (readonly (number | null)[])[] {
  const numbers = series.map(({ values }) => values.map(numberOf));
  if (stack !== 'share') return numbers;
  const sums = labels.map((_, place) => numbers.reduce((sum, values) => sum + (values[place] ?? 0), 0));
  return numbers.map((values) => values.map((value, place) => shareOf(value, sums[place] ?? 0)));
}

function shareOf(value: number | null, sum: number): number | null {
  return value === null || sum === 0 ? null : value / sum;
}

/** States how many values the bars of stacks do not contain, because their sum is not that of all values. */
function stackNotes({ stack }: BarChart, { series }: Bars): string[] {
  const missing = series.flatMap(({ values }) => values.filter((value) => numberOf(value) === null)).length;
  return stack === undefined || missing === 0 ? [] : [`Missing values, which the sums do not contain: ${missing}.`];
}

function firstBars({ labels, series, hidden }: Bars, most: number): Bars {
  return {
    labels: labels.slice(0, most),
    series: series.map(({ name, values }) => ({ name, values: values.slice(0, most) })),
    hidden,
  };
}

interface BarParts {
  readonly chart: BarChart;
  readonly fields: ChartFields;
  readonly bars: Bars;
  /** The numbers to draw of each series. */
  readonly numbers: readonly (readonly (number | null)[])[];
  readonly palette: Palette;
  readonly look: Look;
  /** The height of the legend. */
  readonly top: number;
}

function valueName({ chart: { y, stack }, fields }: Pick<BarParts, 'chart' | 'fields'>): string {
  const [only] = y;
  const name = y.length === 1 && only !== undefined ? headingText(fieldOf(fields, only)) : '';
  return stack === 'share' && name !== '' ? `Share of ${name.toLowerCase()}` : name;
}

function valueFormat({ chart, fields }: Pick<BarParts, 'chart' | 'fields'>): ColumnFormat {
  return chart.stack === 'share' ? 'share' : axisFormat(chart, fields);
}

function valuesAxis({ chart, numbers, palette }: Pick<BarParts, 'chart' | 'numbers' | 'palette'>): ChartOption {
  return chart.stack === 'share' ? { ...valueAxis(palette), max: 1 } : valueAxis(palette, numbers.flat());
}

/** Returns the column with the numbers of a series. The series of a column `series` share one. */
function fieldOfSeries(
  { chart: { y, series }, fields }: Pick<BarParts, 'chart' | 'fields'>,
  index: number,
): ChartField {
  return fieldOf(fields, y[series === undefined ? index : 0] ?? '');
}

function horizontalOption(parts: BarParts): ChartOption {
  const { bars, numbers, palette, look, top } = parts;
  const format = valueFormat(parts);
  const isSingle = bars.series.length === 1;
  const labelWidth = Math.min(290, Math.floor(look.width * 0.45));
  const longest = Math.max(
    0,
    ...(bars.series[0]?.values ?? []).map((value) => roundedText(value, look.locale, format).length),
  );
  return {
    grid: { ...CONTAINED, left: 8, right: isSingle ? 16 + longest * CHARACTER : 20, top: top + 4, bottom: 28 },
    xAxis: {
      ...valuesAxis(parts),
      name: valueName(parts),
      nameLocation: 'middle',
      nameGap: 26,
      splitNumber: Math.max(2, Math.floor(look.width / 160)),
      axisLabel: {
        color: palette.softText,
        hideOverlap: true,
        formatter: (value: number) => shortNumberText(value, look.locale, format),
      },
    },
    yAxis: {
      type: 'category',
      inverse: true,
      data: bars.labels.map((label) => shortLabel(labelText(label), Math.floor(labelWidth / CHARACTER))),
      axisTick: { show: false },
      axisLine: { lineStyle: { color: palette.line } },
      axisLabel: {
        color: palette.text,
        fontSize: isCompact(look) ? 11 : 12,
        interval: 0,
        width: labelWidth,
        overflow: 'truncate',
        ellipsis: '…',
      },
    },
    series: bars.series.map(({ name, values }, index) => ({
      ...barOption(name, index, parts),
      ...(isSingle && {
        label: {
          show: true,
          position: 'right',
          color: palette.text,
          formatter: ({ dataIndex }: HoveredBar) => roundedText(values[dataIndex] ?? null, look.locale, format),
        },
      }),
      data: numbers[index],
    })),
  };
}

function verticalOption(parts: BarParts, times: readonly (number | null)[], pale: ReadonlySet<number>): ChartOption {
  const { chart, fields, bars, numbers, palette, look, top } = parts;
  const format = valueFormat(parts);
  const name = valueName(parts);
  return {
    grid: { ...CONTAINED, left: 8, right: 16, top: top + (name === '' ? 12 : 30), bottom: 28 },
    xAxis: {
      type: 'category',
      data: timeLabels(bars.labels, times, look),
      name: columnText(fieldOf(fields, chart.x)),
      nameLocation: 'middle',
      nameGap: 26,
      nameTextStyle: { color: palette.softText },
      axisTick: { show: false },
      axisLine: { lineStyle: { color: palette.line } },
      axisLabel: { color: palette.softText, hideOverlap: true },
    },
    yAxis: {
      ...valuesAxis(parts),
      name,
      nameTextStyle: { color: palette.softText, align: 'left' },
      axisLabel: { color: palette.softText, formatter: (value: number) => shortNumberText(value, look.locale, format) },
    },
    series: bars.series.map(({ name: series }, index) => ({
      ...barOption(series, index, parts),
      data: numbers[index]?.map((value, place) => (pale.has(place) ? { value, itemStyle: { opacity: PALE } } : value)),
    })),
  };
}

const PALE = 0.45;

/** Formats labels: times in a common unit, and all other labels as text. */
function timeLabels(labels: readonly ChartCell[], times: readonly (number | null)[], { locale }: Look): string[] {
  const unit = unitOf(times.filter((time) => time !== null));
  return labels.map((label, place) => {
    const time = times[place] ?? null;
    return time === null || typeof label !== 'string' ? labelText(label) : timeText(time, unit, locale);
  });
}

/** Returns the points of each series, in the order of their times. */
function pointsOf({ series }: Bars, times: readonly (number | null)[]): { readonly points: readonly Point[] }[] {
  return series.map(({ values }) => ({
    points: times
      .flatMap((time, place): Point[] => (time === null ? [] : [[time, numberOf(values[place] ?? null)]]))
      .sort(([a], [b]) => a - b),
  }));
}

/** Returns the indexes of the bars with incomplete data, which are drawn in a paler colour. */
function paleBars(
  times: readonly (number | null)[],
  known: readonly number[],
  ranges: readonly TimeRange[],
): ReadonlySet<number> {
  const pale = new Set(incompletePlaces(ranges, known).map((place) => known[place]));
  return new Set(times.flatMap((time, place) => (time !== null && pale.has(time) ? [place] : [])));
}

function barOption(name: string, index: number, { chart, palette }: Pick<BarParts, 'chart' | 'palette'>): ChartOption {
  return {
    type: 'bar',
    name,
    color: seriesColor(palette, index),
    barMaxWidth: 28,
    barCategoryGap: '30%',
    emphasis: { disabled: true },
    ...(chart.stack !== undefined && { stack: 'all' }),
  };
}

interface HoveredBar {
  readonly dataIndex: number;
}

function tooltipOption(parts: BarParts): ChartOption {
  const { chart, bars, numbers, palette, look } = parts;
  return {
    ...(commonOption(palette, look).tooltip as ChartOption),
    trigger: 'axis',
    axisPointer: { type: 'shadow', label: { show: false } },
    formatter: ([first]: readonly HoveredBar[]) => {
      if (first === undefined) return '';
      const texts = bars.series.map(({ name, values }, index) => {
        const text = `${name}: ${quantityText(values[first.dataIndex] ?? null, fieldOfSeries(parts, index), look.locale)}`;
        const share = chart.stack === 'share' ? numbers[index]?.[first.dataIndex] : undefined;
        return share == null ? text : `${text} (${roundedText(share, look.locale, 'share')})`;
      });
      return plainText([cellText(bars.labels[first.dataIndex] ?? null), ...texts].join('\n'));
    },
  };
}

const MAX_SUMMARIZED = 5;

function summarize({ labels, series }: Bars, fieldAt: (index: number) => ChartField, { locale }: Look): string {
  const texts = series.map(({ name, values }, place) => {
    const first = labels
      .slice(0, MAX_SUMMARIZED)
      .map((label, index) => `${cellText(label)} ${quantityText(values[index] ?? null, fieldAt(place), locale)}`);
    return `${name}: ${first.join(', ')}${labels.length > MAX_SUMMARIZED ? ', …' : ''}.`;
  });
  return [`Bar chart with ${labels.length} bars.`, ...texts].join(' ');
}
