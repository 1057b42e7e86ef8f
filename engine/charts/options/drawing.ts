import type { Look } from '../look.js';
import { isCompact } from '../look.js';
import type { Palette } from '../palette.js';

/** Options of ECharts: plain objects, lists, texts, numbers and functions that format text. */
export type ChartOption = Readonly<Record<string, unknown>>;

/** A chart as ECharts draws it, with all that its picture does not say. */
export interface Drawing {
  readonly option: ChartOption;
  /** What the picture omits, such as rows that do not fit. Shown below the picture. */
  readonly notes: readonly string[];
  /** What the picture shows, for readers who do not see it. */
  readonly summary: string;
}

/** Options that all charts have. Tooltips are drawn text, never HTML. */
export function commonOption({ text, softText, line, surface }: Palette, look: Look): ChartOption {
  return {
    animation: false,
    useUTC: true,
    backgroundColor: 'transparent',
    textStyle: { fontFamily: FONT, fontSize: isCompact(look) ? 11 : 12, color: softText },
    // The figure around the chart has the text alternative.
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

/** Without quotation marks: ECharts does not escape them in the attributes of an SVG. */
export const FONT = 'system-ui, Segoe UI, Roboto, Helvetica Neue, Arial, DejaVu Sans, sans-serif';

/** Options of the legend above a chart with several series, and the height that it needs. */
export function legendOption(
  names: readonly string[],
  { text }: Palette,
  { width }: Look,
): { readonly legend: ChartOption; readonly height: number } {
  if (names.length < 2) return { legend: { show: false }, height: 0 };
  const rows = countRows(names, width);
  const legend = { top: 0, left: 0, type: 'plain', itemWidth: ICON, itemGap: GAP, textStyle: { color: text } };
  return { legend, height: rows * LEGEND_ROW + 4 };
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

/** Options of an axis with numbers. */
export function valueAxis({ softText, line }: Palette): ChartOption {
  return {
    type: 'value',
    axisLabel: { color: softText, hideOverlap: true },
    nameTextStyle: { color: softText },
    splitLine: { lineStyle: { color: line } },
  };
}

/** Keeps the labels of the axes within the picture. */
export const CONTAINED = { outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' } as const;

export function hiddenNote(count: number, all: number, things: string): string[] {
  return count === 0 ? [] : [`${all - count} of ${all} ${things} are shown.`];
}
