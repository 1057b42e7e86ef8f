import { drawChart } from '../../../../engine/charts/options/draw-chart.js';
import { Canvas, loadWorld } from './canvas.js';
import type { ChartRequest, ChartTexts, FromThread, ToThread } from './chart-messages.js';

// The thread that draws charts. On a slow processor, ECharts needs up to a second, during which it would block the page.

const canvases = new Map<number, Canvas>();
/** The last request of each chart. Results of older requests are not sent. */
const latest = new Map<number, ChartRequest>();

self.addEventListener('message', ({ data }: MessageEvent<ToThread>) => {
  const { id } = data;
  if (data.kind === 'draw') {
    latest.set(id, data.request);
    draw(id, data.request).catch((error: unknown) => send({ id, kind: 'failed', reason: String(error) }));
  } else if (data.kind === 'point') canvases.get(id)?.point(data.x, data.y);
  else if (data.kind === 'leave') canvases.get(id)?.leave();
  else close(id);
});

async function draw(id: number, request: ChartRequest): Promise<void> {
  const { chart, fields, rows, isPart, sources, dataAsOf, ratio } = request;
  const world = chart.chartName === 'MapChart' ? await loadWorld() : undefined;
  if (latest.get(id) !== request) return;
  const look = { ...request.look, ...(world !== undefined && { world }) };
  const { option, notes, summary } = drawChart(chart, fields, rows, look, { isPart, sources, dataAsOf });
  const canvas = canvases.get(id) ?? new Canvas(look, ratio, () => void show(id));
  canvases.set(id, canvas);
  canvas.draw(option, look);
  await show(id, { notes, summary });
}

async function show(id: number, texts?: ChartTexts): Promise<void> {
  const picture = await canvases.get(id)?.picture();
  if (picture !== undefined) send({ id, kind: 'picture', picture, ...(texts !== undefined && { texts }) }, picture);
}

function close(id: number): void {
  canvases.get(id)?.close();
  canvases.delete(id);
  latest.delete(id);
}

function send(message: FromThread, ...transfer: Transferable[]): void {
  self.postMessage(message, { transfer });
}
