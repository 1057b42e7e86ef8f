import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { Resvg } from '@resvg/resvg-js';
import { loadWorld } from './charts-svg.js';
import { drawImage } from './draw-image.js';
import { type ImageJob, READY } from './image-job.js';

// The thread that draws images. ECharts needs up to 100 ms per image, for which the thread that handles requests must not be blocked.

const require = createRequire(import.meta.url);
const FONTS = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((file) => require.resolve(`dejavu-fonts-ttf/ttf/${file}`));
const world = loadWorld(new URL('../../../engine/charts/generated/world.json', import.meta.url));

parentPort?.postMessage(READY);
parentPort?.on('message', (job: ImageJob) => {
  try {
    parentPort?.postMessage({ bytes: draw(job) });
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});

function draw({ format, look, content }: ImageJob): Uint8Array {
  const svg = drawImage(content, look, world);
  if (format === 'svg') return new TextEncoder().encode(svg);
  const font = { fontFiles: FONTS, loadSystemFonts: false, defaultFontFamily: 'DejaVu Sans' };
  return new Resvg(svg, { font }).render().asPng();
}
