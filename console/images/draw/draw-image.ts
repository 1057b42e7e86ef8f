import type { Chart } from '../../../charts/chart.js';
import { selectChart } from '../../../charts/fitting-charts.js';
import type { World } from '../../../charts/look.js';
import { drawChart, fittingHeight, isDrawn } from '../../../charts/options/draw-chart.js';
import type { ChartFields, ChartRows } from '../../../charts/result-column.js';
import type { ImageContent, ImageLook } from '../image-job.js';
import { drawOption } from './charts-svg.js';
import { drawFacts, drawNumber } from './draw-cards.js';
import { type FrameTexts, layOut, PADDING } from './draw-frame.js';
import { type Area, type DrawnContent, drawTable } from './draw-table.js';

/** Numbers, dates and countries in images are English, because an image has no reader whose language is known. */
const LOCALE = 'en';
/** The minimum height of the content of an image. */
const MIN_CONTENT = 60;

/** Draws an image as the text of an SVG file. */
export function drawImage(content: ImageContent, look: ImageLook, world: World): string {
  if (content.kind === 'message') return drawMessage(content, look);
  return drawResult(content, look, world);
}

function drawMessage({ title, message }: Extract<ImageContent, { kind: 'message' }>, look: ImageLook): string {
  const texts = { title, subtitle: '', notes: [], warnings: [message], age: '', summary: message };
  return layOut(texts, look.theme, look.width).draw('', 0);
}

interface AnswerBody {
  readonly fields: ChartFields;
  readonly data: ChartRows;
  readonly dataAsOf: string | null;
  readonly stale: boolean;
  readonly truncated: boolean;
  readonly notices: readonly string[];
}

function drawResult(content: Extract<ImageContent, { kind: 'result' }>, look: ImageLook, world: World): string {
  const { title, subtitle, chart: preferred, chartName } = content;
  const { fields, data: rows, ...answer } = JSON.parse(new TextDecoder().decode(content.body)) as AnswerBody;
  const { chart } = selectChart({ title, fields, rows }, preferred, chartName);
  const warnings = [...content.warnings, ...warningsOf(answer)];
  const texts = { title: chart.title, subtitle, warnings, age: ageText(answer) };
  // The number of notes is known after the chart is drawn, and the room for the chart depends on it.
  const draw = (notes: readonly string[], area: number | undefined) => {
    const room = { theme: look.theme, width: look.width - 2 * PADDING, ...(area !== undefined && { height: area }) };
    return { ...drawContent(chart, fields, rows, room, world), frame: frameOf({ ...texts, notes, summary: '' }, look) };
  };
  const areaFor = ({ top, bottom }: { readonly top: number; readonly bottom: number }) =>
    look.height === undefined ? undefined : Math.max(MIN_CONTENT, look.height - top - bottom);
  const first = draw([], areaFor(frameOf({ ...texts, notes: [], summary: '' }, look)));
  const frame = frameOf({ ...texts, notes: first.notes, summary: first.summary }, look);
  const drawn = look.height === undefined || first.notes.length === 0 ? first : draw(first.notes, areaFor(frame));
  return frame.draw(drawn.svg, look.height === undefined ? drawn.height : (areaFor(frame) ?? drawn.height));
}

function frameOf(texts: FrameTexts, { theme, width }: ImageLook) {
  return layOut(texts, theme, width);
}

function drawContent(chart: Chart, fields: ChartFields, rows: ChartRows, area: Area, world: World): DrawnContent {
  const [row] = rows;
  if (row === undefined) return { svg: '', height: 0, notes: ['The result has no rows.'], summary: 'No rows.' };
  if (isDrawn(chart)) {
    const height = area.height ?? fittingHeight(chart, fields, rows, area.width);
    const { option, notes, summary } = drawChart(chart, fields, rows, { ...area, height, locale: LOCALE, world });
    return { svg: drawOption(option, area.width, height), height, notes, summary };
  }
  if (chart.chartName === 'NumberCard') return drawNumber(chart, row, area);
  if (chart.chartName === 'Table') return drawTable(columnsOf(chart, fields), rows, area);
  return drawFacts(fields, row, area);
}

function columnsOf({ columns }: Extract<Chart, { chartName: 'Table' }>, fields: ChartFields): ChartFields {
  return columns.flatMap((name) => fields.filter((field) => field.name === name));
}

function warningsOf({ truncated, stale, notices }: Omit<AnswerBody, 'fields' | 'data'>): string[] {
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
