import type { Chart } from '../../../charts/chart.js';
import type { ChartSource } from '../../../charts/data/incomplete-times.js';
import { selectChart } from '../../../charts/fitting-charts.js';
import type { World } from '../../../charts/look.js';
import { drawChart } from '../../../charts/options/draw-chart.js';
import { fittingHeight, isDrawn } from '../../../charts/options/fitting-height.js';
import type { ChartFields, ChartRows } from '../../../charts/result-column.js';
import { drawOption } from './charts-svg.js';
import { drawFacts, drawNumber } from './draw-cards.js';
import { type Frame, layOut, PADDING } from './draw-frame.js';
import { type Area, type DrawnContent, drawTable } from './draw-table.js';
import type { ImageContent, ImageLook } from './image-job.js';

/** Numbers, dates and countries in images are English, because an image has no reader whose language is known. */
const LOCALE = 'en';
/** The minimum height of the content of an image. */
const MIN_CONTENT = 120;

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
  readonly params: Readonly<Record<string, unknown>>;
  readonly notices: readonly string[];
  readonly sources?: readonly ChartSource[] | null;
}

/** Whether the query has more rows: the answer is truncated, or not the first page. */
function isPart({ truncated, params }: Pick<AnswerBody, 'truncated' | 'params'>): boolean {
  return truncated || Number(params.page ?? 1) > 1;
}

function drawResult(content: Extract<ImageContent, { kind: 'result' }>, look: ImageLook, world: World): string {
  const { title, subtitle, chart: preferred, chartName } = content;
  const { fields, data: rows, ...answer } = JSON.parse(new TextDecoder().decode(content.body)) as AnswerBody;
  const { chart } = selectChart({ title, fields, rows }, preferred, chartName);
  const warnings = [...content.warnings, ...warningsOf(answer)];
  const texts = { title: chart.title, subtitle, warnings, age: ageText(answer) };
  const draw = (room: number | undefined) => {
    const area = { theme: look.theme, width: look.width - 2 * PADDING, ...(room !== undefined && { height: room }) };
    const { sources = [] } = answer;
    return drawContent(chart, { fields, rows, sources, isPart: isPart(answer) }, area, world);
  };
  const frameFor = ({ notes, summary }: Pick<DrawnContent, 'notes' | 'summary'>) =>
    layOut({ ...texts, notes, summary }, look.theme, look.width);
  if (look.height === undefined) {
    const drawn = draw(undefined);
    return frameFor(drawn).draw(drawn.svg, drawn.height);
  }
  // The room for the chart depends on the number of notes, which is known after the chart is drawn.
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
  /** Whether the query has more rows. */
  readonly isPart: boolean;
  readonly sources: readonly ChartSource[] | null;
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
  if (chart.chartName === 'NumberCard') return drawNumber(chart, row, area);
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
