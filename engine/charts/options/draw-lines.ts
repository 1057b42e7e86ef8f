import type { Chart } from '../chart.js';
import { RANK } from '../chart-views.js';
import { interruptAtGaps, isIsolated, isRunningTotal } from '../gaps.js';
import {
  incompletePlaces,
  openTime,
  rangesOfTotals,
  shadedParts,
  type TimeRange,
  timesOf,
} from '../incomplete-times.js';
import { columnText, fieldOf, headingText, plainText, quantityText } from '../label-text.js';
import { isCompact, type Look, PALETTES, type Palette, seriesColor } from '../look.js';
import { numberText, shortNumberText } from '../number-text.js';
import { type Line, type Lines, type Point, readLines } from '../read-lines.js';
import { type ChartField, type ChartFields, type ChartRows, describeColumns } from '../result-column.js';
import { type TimeUnit, tickFormat, timeText, unitOf } from '../time-text.js';
import {
  axisFormat,
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

type LineChart = Extract<Chart, { chartName: 'LineChart' }>;

/** Draws lines over time or over numbers. Missing values interrupt a line. Incomplete times are shaded. */
export function drawLines(
  chart: LineChart,
  fields: ChartFields,
  rows: ChartRows,
  look: Look,
  { incomplete, dataAsOf }: KnownTimes,
): Drawing {
  const palette = PALETTES[look.theme];
  const isTime = describeColumns(fields, rows).some(({ name, isTime }) => name === chart.x && isTime);
  const isLog = chart.scale === 'log';
  const read = readLines(chart, fields, rows, isTime);
  const axis = describeAxis(read.lines, isTime, look);
  const interrupted = (points: readonly Point[]) => (isTime ? interruptAtGaps(points) : points);
  const lines = read.lines.map(({ name, points }) => ({
    name,
    points: samplePoints(isLog ? withoutLogs(interrupted(points)) : interrupted(points)),
  }));
  const names = lines.map(({ name }) => name);
  const { legend, height } = legendOption(names, palette, look);
  const fieldAt = (place: number) => fieldOf(fields, chart.y[chart.series === undefined ? place : 0] ?? '');
  const field = fieldAt(0);
  const yName = chart.y.length === 1 ? headingText(field) : '';
  const textOf = (value: number | null, place: number) => quantityText(value, fieldAt(place), look.locale);
  const isRank = chart.y.every((column) => RANK.test(column));
  const isTotal = !isRank && read.lines.every(({ points }) => isRunningTotal(points));
  const ranges = isTotal ? rangesOfTotals(incomplete) : incomplete;
  const times = isTime ? timesOf(read.lines) : [];
  const shaded = shadedParts(ranges, times);
  const open = isTotal ? undefined : openTime(times, dataAsOf);
  return {
    option: {
      ...commonOption(palette, look),
      legend: { ...legend, data: names },
      grid: {
        ...CONTAINED,
        left: 8,
        right: isCompact(look) ? 12 : 20,
        top: height + (yName === '' ? 12 : 30),
        bottom: 28,
      },
      tooltip: tooltipOption({ lines, axis, textOf, open }, palette, look),
      xAxis: xAxisOption(fieldOf(fields, chart.x), axis, palette, look),
      yAxis: {
        ...valueAxis(
          palette,
          read.lines.flatMap(({ points }) => points.map(([, y]) => y)),
        ),
        name: yName,
        nameTextStyle: { color: palette.softText, align: 'left' },
        nameLocation: isRank ? 'start' : 'end',
        axisLabel: {
          color: palette.softText,
          formatter: (value: number) => shortNumberText(value, look.locale, axisFormat(chart, fields)),
        },
        // Rank 1 is the best, so it is at the top of the axis.
        ...(isRank && { inverse: true, min: 1, minInterval: 1 }),
        ...(isLog && LOG_AXIS),
      },
      series: lines.flatMap((line, index) => {
        const { ended, open: last } = splitAt(line.points, open);
        const option = lineOption({ ...line, points: ended }, index, lines.length === 1 && !isRank && !isLog, palette);
        const shade = index === 0 && shaded.length > 0 && { markArea: shadeOption(shaded, palette) };
        return [{ ...option, ...shade }, ...(last === undefined ? [] : [openOption(option, last)])];
      }),
    },
    notes: [
      ...notesOf(read),
      ...(isLog ? logNotes(read.lines) : []),
      ...(incompletePlaces(ranges, times).length > 0 ? [incompleteNote('shaded')] : []),
      ...(open === undefined ? [] : [OPEN_NOTE]),
    ],
    summary: summarize(read.lines, axis, textOf),
  };
}

const LOG_AXIS = { type: 'log', minInterval: undefined } as const;

/** Replaces the values that have no logarithm by gaps, whose tooltip has the value. */
function withoutLogs(points: readonly Point[]): readonly Point[] {
  return points.map(([x, y]) => (y !== null && y <= 0 ? [x, null, y] : [x, y]));
}

function logNotes(lines: readonly Line[]): string[] {
  const count = lines.flatMap(({ points }) => points.filter(([, y]) => y !== null && y <= 0)).length;
  return ['The axis is logarithmic.', ...(count > 0 ? [`Values of 0 have no place on it: ${count}.`] : [])];
}

interface Axis {
  readonly isTime: boolean;
  readonly first: number;
  readonly last: number;
  /** Formats a value of the axis in full. */
  readonly format: (value: number) => string;
  readonly tick: (value: number) => string;
  readonly unit: TimeUnit;
}

function describeAxis(lines: readonly Line[], isTime: boolean, { locale }: Look): Axis {
  const places = lines.flatMap(({ points }) => points.map(([x]) => x));
  const [first, last] = [
    places.reduce((a, b) => Math.min(a, b), Infinity),
    places.reduce((a, b) => Math.max(a, b), -Infinity),
  ];
  const unit = isTime ? unitOf(places) : 'day';
  if (!isTime) {
    return { isTime, first, last, unit, format: (x) => numberText(x, locale), tick: (x) => shortNumberText(x, locale) };
  }
  const format = (x: number) => timeText(x, unit, locale);
  return { isTime, first, last, unit, format, tick: tickFormat(first, last, unit, locale) };
}

function xAxisOption(field: ChartField, { isTime, tick }: Axis, palette: Palette, look: Look): ChartOption {
  return {
    ...valueAxis(palette),
    type: isTime ? 'time' : 'value',
    scale: true,
    name: isTime ? `${columnText(field)} (UTC)` : headingText(field),
    nameLocation: 'middle',
    nameGap: 26,
    splitLine: { show: false },
    axisLine: { lineStyle: { color: palette.line } },
    splitNumber: Math.max(2, Math.floor(look.width / 110)),
    axisLabel: { color: palette.softText, hideOverlap: true, formatter: (value: number) => tick(value) },
  };
}

/** If a line has fewer points than this, each point has a symbol. */
const FEW_POINTS = 40;
const DASHES = ['solid', 'dashed', 'dotted', [8, 3, 2, 3]];
// There is one symbol more than dash patterns, so that the fifth line differs from the first in its symbol.
const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond', 'roundRect'];

/** Lines differ not only in colour but also in dashes and symbols, for colour-blind readers. */
function lineOption({ name, points }: Line, index: number, hasArea: boolean, palette: Palette): ChartOption {
  const color = seriesColor(palette, index);
  const symbol = SYMBOLS[index % SYMBOLS.length];
  const hasSymbols = points.length <= FEW_POINTS;
  return {
    type: 'line',
    id: String(index),
    name,
    color,
    connectNulls: false,
    symbol: hasSymbols ? symbol : 'none',
    symbolSize: 6,
    showAllSymbol: true,
    lineStyle: { width: 2, type: DASHES[index % DASHES.length] },
    emphasis: { disabled: true },
    ...(hasArea && { areaStyle: { color, opacity: 0.1 } }),
    data: points.map((point, place) => (isIsolated(points, place) ? { value: point, symbol } : point)),
  };
}

interface SplitLine {
  readonly ended: readonly Point[];
  /** The last part of the line, to a value that can still change. Undefined if there is no such part. */
  readonly open: readonly Point[] | undefined;
}

/** Separates the part of a line to the time from which values can still change. */
function splitAt(points: readonly Point[], open: number | undefined): SplitLine {
  const [before, last] = points.slice(-2);
  const isOpen = last !== undefined && last[0] === open && last[1] !== null && before?.[1] != null;
  return isOpen ? { ended: points.slice(0, -1), open: [before, last] } : { ended: points, open: undefined };
}

/** The last part of a line is dotted, and its last point is not filled. */
function openOption(option: ChartOption, [before, last]: readonly Point[]): ChartOption {
  const { areaStyle: _, ...line } = option;
  const symbol = option.symbol === 'none' ? 'emptyCircle' : `empty${capitalize(String(option.symbol))}`;
  return {
    ...line,
    id: `${OPEN_PART}${line.id}`,
    lineStyle: { width: 2, type: 'dotted', opacity: 0.7 },
    data: [
      { value: before, symbol: 'none' },
      { value: last, symbol },
    ],
  };
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function shadeOption(shaded: readonly TimeRange[], { shade }: Palette): ChartOption {
  return {
    silent: true,
    itemStyle: { color: shade },
    data: shaded.map(({ starts, ends }) => [{ xAxis: starts }, { xAxis: ends }]),
  };
}

interface HoveredLines {
  readonly lines: readonly Line[];
  readonly axis: Axis;
  /** Formats a value of the line at a place. */
  readonly textOf: (value: number | null, place: number) => string;
  /** The time whose interval has not ended. */
  readonly open: number | undefined;
}

/** The id of the last part of a line begins with this text. The id of the other parts is the place of the line. */
const OPEN_PART = 'open ';

function isOpenPart(id = ''): boolean {
  return id.startsWith(OPEN_PART);
}

interface HoveredPoint {
  readonly seriesId?: string;
  readonly seriesName?: string;
  readonly value?: Point;
}

function tooltipOption({ lines, axis, textOf, open }: HoveredLines, palette: Palette, look: Look): ChartOption {
  return {
    ...(commonOption(palette, look).tooltip as ChartOption),
    trigger: 'axis',
    axisPointer: { type: 'line', lineStyle: { color: palette.softText, type: 'solid' }, label: { show: false } },
    formatter: (hovered: readonly HoveredPoint[]) => {
      const [first] = hovered;
      if (first?.value === undefined) return '';
      // The point before an open interval belongs to both parts of its line.
      const points = hovered.filter(({ seriesId, value }) => !isOpenPart(seriesId) || value?.[0] === open);
      const texts = points.map(({ seriesId = '', seriesName = '', value }) => {
        const number = textOf(value?.[1] ?? value?.[2] ?? null, Number(seriesId.replace(OPEN_PART, '')));
        return lines.length === 1 ? number : `${seriesName}: ${number}`;
      });
      return plainText([axis.format(first.value[0]), ...texts].join('\n'));
    },
  };
}

function notesOf({ lines, hidden, unplaced }: Lines): string[] {
  const longest = Math.max(0, ...lines.map(({ points }) => points.length));
  const isSampled = longest > MAX_POINTS;
  return [
    ...hiddenNote(hidden, lines.length + hidden, 'lines'),
    ...(unplaced > 0 ? [`Rows without a place on the axis are not shown: ${unplaced}.`] : []),
    ...(isSampled ? [`Of ${longest} points, the chart shows the lowest and highest of each interval.`] : []),
  ];
}

const MAX_SUMMARIZED = 4;

function summarize(lines: readonly Line[], axis: Axis, textOf: HoveredLines['textOf']): string {
  const texts = lines.slice(0, MAX_SUMMARIZED).map(({ name, points }, place) => {
    const known = points.filter((point): point is readonly [number, number] => point[1] !== null);
    const [first] = known;
    const last = known.at(-1);
    if (first === undefined || last === undefined) return `${name}: no values.`;
    const highest = known.reduce((best, point) => (point[1] > best[1] ? point : best));
    const pointText = ([x, y]: readonly [number, number]) => `${textOf(y, place)} (${axis.format(x)})`;
    return `${name}: ${known.length} points, from ${pointText(first)} to ${pointText(last)}; highest ${pointText(highest)}.`;
  });
  const more = lines.length - texts.length;
  return ['Line chart.', ...texts, ...(more > 0 ? [`And ${more} more lines.`] : [])].join(' ');
}

/** The maximum number of points of a line. More points would not be visible. */
export const MAX_POINTS = 2000;

/**
 * Reduces a long line to the lowest and the highest point of each part, so that no extreme value disappears. One gap
 * per part is kept too.
 */
export function samplePoints(points: readonly Point[]): readonly Point[] {
  if (points.length <= MAX_POINTS) return points;
  const parts = Math.floor(MAX_POINTS / 3);
  const size = points.length / parts;
  return Array.from({ length: parts }, (_, part) =>
    extremes(points.slice(Math.floor(part * size), Math.floor((part + 1) * size))),
  ).flat();
}

/** Returns the lowest, the highest and the first empty point, in their original order. */
function extremes(points: readonly Point[]): Point[] {
  let [low, high, empty]: (Point | undefined)[] = [];
  for (const point of points) {
    const [, y] = point;
    if (y === null) empty ??= point;
    else {
      if (y < (low?.[1] ?? Infinity)) low = point;
      if (y > (high?.[1] ?? -Infinity)) high = point;
    }
  }
  const kept = new Set([low, high, empty].filter((point) => point !== undefined));
  return points.filter((point) => kept.has(point));
}
