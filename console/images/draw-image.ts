import type { Chart } from '../../engine/charts/chart.js';
import { selectChart } from '../../engine/charts/fitting-charts.js';
import { type AnswerField, flattenRows } from '../../engine/charts/flatten-rows.js';
import type { ChartSource } from '../../engine/charts/incomplete-times.js';
import { PALETTES, type Theme, type World } from '../../engine/charts/look.js';
import { drawChart } from '../../engine/charts/options/draw-chart.js';
import { fittingHeight, isDrawn } from '../../engine/charts/options/fitting-height.js';
import { addPresentation, type ChartFields, type ChartRows } from '../../engine/charts/result-column.js';
import type { NativeRow } from '../../engine/index.js';
import { drawOption } from './charts-svg.js';
import { drawFacts, drawNumber } from './draw-cards.js';
import { type Area, type DrawnContent, drawTable } from './draw-table.js';
import type { ImageContent, ImageLook } from './image-job.js';
import { cutText, svgDocument, svgText, wrapText } from './svg-text.js';

/** Numbers, dates and countries in images are in English, because the language of the viewer is unknown. */
const LOCALE = 'en';
/** The minimum height of the content of an image. */
const MIN_CONTENT = 120;

/** Draws an image as SVG text. */
export function drawImage(content: ImageContent, look: ImageLook, world: World): string {
  if (content.kind === 'message') return drawMessage(content, look);
  return drawResult(content, look, world);
}

function drawMessage({ title, message }: Extract<ImageContent, { kind: 'message' }>, look: ImageLook): string {
  const texts = { title, subtitle: '', notes: [], warnings: [message], age: '', summary: message };
  return layOut(texts, look.theme, look.width).draw('', 0);
}

interface AnswerBody {
  readonly fields: readonly AnswerField[];
  readonly data: readonly NativeRow[];
  readonly dataAsOf: string | null;
  readonly stale: boolean;
  readonly truncated: boolean;
  readonly params: Readonly<Record<string, unknown>>;
  readonly notices: readonly string[];
  readonly sources?: readonly ChartSource[] | null;
}

/** Whether the query has more rows than the answer: it is truncated, or not the first page. */
function isPart({ truncated, params }: Pick<AnswerBody, 'truncated' | 'params'>): boolean {
  return truncated || Number(params.page ?? 1) > 1;
}

function drawResult(content: Extract<ImageContent, { kind: 'result' }>, look: ImageLook, world: World): string {
  const { title, subtitle, chart: preferred, chartView } = content;
  const { fields: ofAnswer, data, ...answer } = JSON.parse(new TextDecoder().decode(content.body)) as AnswerBody;
  const fields = addPresentation(ofAnswer, content.columns);
  const rows = flattenRows(fields, data);
  const { chart } = selectChart({ title, fields, rows }, preferred, chartView);
  const warnings = [...content.warnings, ...warningsOf(answer)];
  const texts = { title: chart.title, subtitle, warnings, age: ageText(answer) };
  const draw = (room: number | undefined) => {
    const area = { theme: look.theme, width: look.width - 2 * PADDING, ...(room !== undefined && { height: room }) };
    const { sources = [], dataAsOf } = answer;
    return drawContent(chart, { fields, rows, sources, dataAsOf, isPart: isPart(answer) }, area, world);
  };
  const frameFor = ({ notes, summary }: Pick<DrawnContent, 'notes' | 'summary'>) =>
    layOut({ ...texts, notes, summary }, look.theme, look.width);
  if (look.height === undefined) {
    const drawn = draw(undefined);
    return frameFor(drawn).draw(drawn.svg, drawn.height);
  }
  // The space for the chart depends on the number of notes, which is only known after the chart was drawn once.
  const room = roomIn(frameFor({ notes: [], summary: '' }), look.height);
  const first = draw(room);
  const roomWithNotes = roomIn(frameFor(first), look.height);
  const drawn = roomWithNotes === room ? first : draw(roomWithNotes);
  return frameFor(drawn).draw(drawn.svg, roomWithNotes);
}

function roomIn({ top, bottom }: Frame, height: number): number {
  return Math.max(MIN_CONTENT, height - top - bottom);
}

interface ShownRows {
  readonly fields: ChartFields;
  readonly rows: ChartRows;
  /** Whether the query has more rows than the answer. */
  readonly isPart: boolean;
  readonly sources: readonly ChartSource[] | null;
  readonly dataAsOf: string | null;
}

function drawContent(chart: Chart, { fields, rows, ...state }: ShownRows, area: Area, world: World): DrawnContent {
  const [row] = rows;
  if (row === undefined) return { svg: '', height: 0, notes: ['The result has no rows.'], summary: 'No rows.' };
  if (isDrawn(chart)) {
    const height = area.height ?? fittingHeight(chart, fields, rows, area.width);
    const drawing = drawChart(chart, fields, rows, { ...area, height, locale: LOCALE, world }, state);
    const { option, notes, summary } = drawing;
    return { svg: drawOption(option, area.width, height), height, notes, summary };
  }
  if (chart.chartName === 'NumberCard') return drawNumber(chart, fields, row, area);
  if (chart.chartName === 'Table') return drawTable(columnsOf(chart, fields), rows, area);
  return drawFacts(fields, row, area);
}

function columnsOf({ columns }: Extract<Chart, { chartName: 'Table' }>, fields: ChartFields): ChartFields {
  return columns.flatMap((name) => fields.filter((field) => field.name === name));
}

function warningsOf({ truncated, stale, notices }: Omit<AnswerBody, 'fields' | 'data' | 'params'>): string[] {
  return [
    ...(stale ? ['Stale: the data are older than their limit, or their age is not known.'] : []),
    ...(truncated ? ['Truncated: the result has more rows.'] : []),
    ...notices,
  ];
}

function ageText({ dataAsOf }: Pick<AnswerBody, 'dataAsOf'>): string {
  return dataAsOf === null ? 'The age of the data is not known.' : `Data as of ${TIME.format(new Date(dataAsOf))} UTC`;
}

const TIME = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

const PADDING = 16;

const TITLE = { size: 16, line: 22 } as const;
const SUBTITLE = { size: 12, line: 18 } as const;
const NOTE = { size: 12, line: 17 } as const;
const MAX_NOTE_LINES = 2;
const MAX_NOTES = 5;

const WARNING = { light: '#8a5300', dark: '#f2b84b' } as const;

/** The texts around the content of an image. */
interface FrameTexts {
  readonly title: string;
  readonly subtitle: string;
  /** Notes about parts that the image omits. */
  readonly notes: readonly string[];
  /** Facts that a reader must know before trusting the image. */
  readonly warnings: readonly string[];
  readonly age: string;
  readonly summary: string;
}

/** The lines of text above and below the content, and the height that they need. */
interface Frame {
  readonly top: number;
  readonly bottom: number;
  readonly draw: (content: string, contentHeight: number) => string;
}

/** Lays out an image: title, content, notes. Without content, it has only the texts. */
function layOut(texts: FrameTexts, theme: Theme, width: number): Frame {
  const { title, subtitle, age, summary } = texts;
  const palette = PALETTES[theme];
  const inner = width - 2 * PADDING;
  const titleLines = wrapText(title, inner, TITLE.size * 1.06, 2);
  const top = PADDING + titleLines.length * TITLE.line + (subtitle === '' ? 0 : SUBTITLE.line) + 8;
  const below = [
    ...limitNotes(texts.warnings).map((text) => ({ text, color: WARNING[theme] })),
    ...[...texts.notes, ...(age === '' ? [] : [age])].map((text) => ({ text, color: palette.softText })),
  ].flatMap(({ text, color }) => wrapText(text, inner, NOTE.size, MAX_NOTE_LINES).map((line) => ({ line, color })));
  const bottom = below.length * NOTE.line + (below.length === 0 ? 0 : 6) + PADDING - 4;
  return {
    top,
    bottom,
    draw: (content, contentHeight) => {
      const height = top + contentHeight + bottom;
      const box = { x: 0.5, y: 0.5, width: width - 1, height: height - 1 };
      const parts = [
        `<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" rx="8" fill="${palette.surface}" stroke="${palette.line}"/>`,
        ...titleLines.map((line, index) =>
          svgText(line, PADDING, PADDING + 14 + index * TITLE.line, {
            size: TITLE.size,
            color: palette.text,
            isBold: true,
          }),
        ),
        subtitle === ''
          ? ''
          : svgText(cutText(subtitle, inner, SUBTITLE.size), PADDING, top - 12, {
              size: SUBTITLE.size,
              color: palette.softText,
            }),
        `<g transform="translate(${PADDING} ${top})">${content}</g>`,
        ...below.map(({ line, color }, index) =>
          svgText(line, PADDING, top + contentHeight + 18 + index * NOTE.line, { size: NOTE.size, color }),
        ),
      ];
      return svgDocument({ width, height, label: `${title}. ${summary}` }, parts.join(''));
    },
  };
}

function limitNotes(notes: readonly string[]): readonly string[] {
  if (notes.length <= MAX_NOTES) return notes;
  return [...notes.slice(0, MAX_NOTES - 1), `And ${notes.length - MAX_NOTES + 1} more notices.`];
}
