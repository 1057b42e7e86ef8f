import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM_FLAGS, findChromium } from '../../test/services/chromium.js';
import { startServer } from '../child.js';
import { createDemo, demoSettings, NOW } from '../demo-service.js';
import { type Figure, median } from '../measure.js';
import { type LoadedScripts, measurePage, measureScripts, type PageTimes } from './measure-page.js';

const EVENTS = 60_000;
const ROUNDS = 5;
const QUICK_ROUNDS = 2;
const TARGETS = { largestPaintMs: 1_800, blockingMs: 150, layoutShift: 0.02, kilobytes: 170 };
/** Scripts of the drawing thread for charts, and of the search. Pages load them last. */
const CHARTS = /^(?:chart-worker|world|search-dialog)/;

/** Measures how fast the pages of the console appear in Chromium with the CPU slowed down by a factor of four. */
export async function benchConsole(
  folder: string,
  log: (text: string) => void,
  { isQuick }: { readonly isQuick: boolean },
): Promise<Figure[]> {
  const count = isQuick ? QUICK_ROUNDS : ROUNDS;
  const executablePath = findChromium();
  if (executablePath === undefined)
    return [missing('console', 'Chromium is missing: install it, or set CHROMIUM_PATH')];
  const data = join(folder, 'data');
  await mkdir(data);
  log(`creating ${EVENTS} events`);
  await createDemo(demoSettings(data), EVENTS);
  const server = await startServer('own-server', [`DATA_DIR=${data}`, `NOW=${NOW}`]);
  const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_FLAGS] });
  try {
    const figures: Figure[] = [];
    for (const path of ['/', '/e/list-trending-repos', await repositoryPath(server.url)]) {
      log(`${count} rounds of ${path}`);
      figures.push(...(await measureAll(browser, `${server.url}${path}`, count)));
    }
    return figures;
  } finally {
    await browser.close();
    await server.stop();
  }
}

async function measureAll(browser: Browser, url: string, count: number): Promise<Figure[]> {
  const name = new URL(url).pathname.replace(/^(\/p\/repositories)\/.*/, '$1/…');
  const scripts = await measureScripts(browser, url, CHARTS);
  const rounds: PageTimes[] = [];
  for (let round = 0; round < count; round += 1) rounds.push(await measurePage(browser, url));
  return [
    timeFigure(`${name}: largest contentful paint`, rounds, 'largestPaintMs', 'ms'),
    timeFigure(`${name}: total blocking time`, rounds, 'blockingMs', 'ms'),
    timeFigure(`${name}: layout shift`, rounds, 'layoutShift', 'shift'),
    scriptFigure(`${name}: JavaScript before charts`, scripts),
  ];
}

type TimeName = 'largestPaintMs' | 'blockingMs' | 'layoutShift';

function timeFigure(name: string, rounds: readonly PageTimes[], key: TimeName, unit: Figure['unit']): Figure {
  const values = rounds.map((round) => round[key]);
  const digits = unit === 'shift' ? 4 : 0;
  const detail = `median of ${values.map((value) => value.toFixed(digits)).join(', ')}`;
  return { name, value: median(values), unit, target: TARGETS[key], bound: 'at most', detail };
}

function scriptFigure(name: string, { kilobytes, names }: LoadedScripts): Figure {
  return { name, value: kilobytes, unit: 'KB', target: TARGETS.kilobytes, bound: 'at most', detail: names.join(', ') };
}

function missing(name: string, detail: string): Figure {
  return { name, value: Number.NaN, unit: 'ms', target: 0, bound: 'at most', detail };
}

/** Returns the path of the page of the top trending repository. */
async function repositoryPath(url: string): Promise<string> {
  const response = await fetch(`${url}/q/list-trending-repos?period=past_month`);
  const { data } = (await response.json()) as { readonly data: readonly { readonly repo_name: string }[] };
  const [first] = data;
  if (first === undefined) throw new Error('The demo data have no trending repository.');
  return `/p/repositories/${first.repo_name}`;
}
