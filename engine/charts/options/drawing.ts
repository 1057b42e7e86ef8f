import { type ColumnFormat, formatOf } from '../column-presentation.js';
import type { TimeRange } from '../incomplete-times.js';
import { fieldOf, plainText } from '../label-text.js';
import { isCompact, type Look, type Palette } from '../look.js';
import type { ChartFields } from '../result-column.js';

/** Options of ECharts: plain objects, lists, texts, numbers and functions that format text. */
export type ChartOption = Readonly<Record<string, unknown>>;

/** The ECharts options of a chart, with the texts that belong to the picture. */
export interface Drawing {
  readonly option: ChartOption;
  /** Notes about data that the picture omits, such as rows that do not fit. They are shown below the picture. */
  readonly notes: readonly string[];
  /** A text alternative of the picture, for readers who cannot see it. */
  readonly summary: string;
}

/** Returns the options that all charts share. Tooltips are drawn as text, never as HTML. */
export function commonOption({ text, softText, line, surface }: Palette, look: Look): ChartOption {
  return {
    animation: false,
    useUTC: true,
    backgroundColor: 'transparent',
    textStyle: { fontFamily: FONT, fontSize: isCompact(look) ? 11 : 12, color: softText },
    // The HTML element around the chart already has a text alternative.
    aria: { enabled: false },
    tooltip: {
      renderMode: 'richText',
      confine: true,
      backgroundColor: surface,
      borderColor: line,
      textStyle: { color: text, fontFamily: FONT, fontSize: 12 },
    },
  };
}

/** Returns the options that charts of items share, such as slices. The tooltip of an item is one line of text. */
export function itemsOption<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string,
  palette: Palette,
  look: Look,
): ChartOption {
  const common = commonOption(palette, look);
  const formatter = ({ dataIndex }: { readonly dataIndex: number }) => {
    const item = items[dataIndex];
    return item === undefined ? '' : plainText(textOf(item));
  };
  return { ...common, tooltip: { ...(common.tooltip as ChartOption), trigger: 'item', formatter } };
}

/** The font names have no quotation marks, because ECharts does not escape quotation marks in SVG attributes. */
export const FONT = 'system-ui, Segoe UI, Roboto, Helvetica Neue, Arial, DejaVu Sans, sans-serif';

/** Returns the options of the legend above a chart with several series, and the height of the legend. */
export function legendOption(
  names: readonly string[],
  { text }: Palette,
  { width }: Look,
): { readonly legend: ChartOption; readonly height: number } {
  if (names.length < 2) return { legend: { show: false }, height: 0 };
  const legend = { top: 0, left: 0, type: 'plain', itemWidth: ICON, itemGap: GAP, textStyle: { color: text } };
  return { legend, height: legendHeight(names, width) };
}

/** Returns the height in pixels of the legend of series with these names. */
export function legendHeight(names: readonly string[], width: number): number {
  return names.length < 2 ? 0 : countRows(names, width) * LEGEND_ROW + 4;
}

const ICON = 26;
const GAP = 12;
const LEGEND_ROW = 24;
/** The average width of a character in pixels. */
export const CHARACTER = 6.8;

function countRows(names: readonly string[], width: number): number {
  let [rows, used] = [1, 0];
  for (const name of names) {
    const needed = ICON + GAP + 6 + name.length * CHARACTER;
    if (used > 0 && used + needed > width) [rows, used] = [rows + 1, 0];
    used += needed;
  }
  return rows;
}

/** The note of a chart whose sources could not be read completely. */
export const UNKNOWN_NOTE = 'It is not known for which times the data are complete.';

/** The note of a chart that shows some times differently, because their data are not complete. */
export function incompleteNote(look: 'shaded' | 'pale'): string {
  return `Some of the data of the ${look} times are missing.`;
}

/** Returns the format of the axis of values: that of the columns, or plain numbers if they differ. */
export function axisFormat({ y }: { readonly y: readonly string[] }, fields: ChartFields): ColumnFormat {
  const formats = new Set(y.map((name) => formatOf(fieldOf(fields, name))));
  const [only = 'number'] = formats;
  return formats.size === 1 ? only : 'number';
}

/** Known facts about the times of a chart. */
export interface KnownTimes {
  /** The ranges in which the data are incomplete. */
  readonly incomplete: readonly TimeRange[];
  /** The time of the newest data (ISO 8601); null if it is unknown. */
  readonly dataAsOf: string | null;
}

/** The note of a chart whose last value can still change. */
export const OPEN_NOTE = 'The data end within the last interval.';

/** Options of an axis with numbers. An axis of whole numbers has only whole ticks. */
export function valueAxis({ softText, line }: Palette, values: readonly (number | null)[] = []): ChartOption {
  const isWhole = values.length > 0 && values.every((value) => value === null || Number.isInteger(value));
  return {
    type: 'value',
    axisLabel: { color: softText, hideOverlap: true },
    nameTextStyle: { color: softText },
    splitLine: { lineStyle: { color: line } },
    ...(isWhole && { minInterval: 1 }),
  };
}

/** Keeps the labels of the axes within the picture. */
export const CONTAINED = { outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' } as const;

export function hiddenNote(count: number, all: number, things: string): string[] {
  return count === 0 ? [] : [`${all - count} of ${all} ${things} are shown.`];
}
