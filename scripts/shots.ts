import { mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { type Service, startService } from '../bench/serving/service.js';
import { startProvider } from '../test/service/sign-in-provider.js';
import { CHROMIUM_FLAGS, findChromium } from '../test/services/chromium.js';
import { freePort } from '../test/services/private-server.js';
import { completePage } from '../test/web/complete-page.js';
import { PAGES, type ShownPage } from './shown-pages.js';
import { writeWebp } from './write-webp.js';

// `npm run shots` writes screenshots of all pages of the console with demo data to shots/. With arguments, such as `npm run shots -- home
// dark`, only the screenshots whose names contain all of these words are written. The demo data are kept in shots/data for the next run.

const FOLDER = 'shots';
/** The fixed current time, so that two runs write the same pictures. */
const NOW = '2026-06-30T12:00:00Z';
/** The number of pages that are opened at the same time. */
const PARALLEL = 3;
const PAUSE_MS = 200;
const UPPER_PART = { fullPage: true, clip: { x: 0, y: 0, width: 1280, height: 1000 }, caret: 'initial' } as const;
type Scheme = 'light' | 'dark';
const TOUCH = { isMobile: true, hasTouch: true } as const;

/** The names and color schemes of the screenshots, for each screen size. */
const SCREENS: readonly {
  readonly options: BrowserContextOptions;
  readonly forms: Readonly<Record<string, Scheme>>;
}[] = [
  { options: { viewport: { width: 1280, height: 800 } }, forms: { light: 'light', dark: 'dark' } },
  { options: { viewport: { width: 390, height: 844 }, ...TOUCH }, forms: { phone: 'light' } },
  { options: { viewport: { width: 360, height: 740 }, ...TOUCH }, forms: { small: 'dark' } },
];

/**
 * The profile of the signed-in user. Each visit uses a different user with this name, because the number of questions per user is limited.
 */
const ADA = { nickname: 'ada', name: 'Ada Lovelace', email: 'ada@example.org' };
let users = 1;

interface Visit {
  readonly page: ShownPage;
  readonly options: BrowserContextOptions;
  /** The screenshots of this visit, each with its color scheme. */
  readonly pictures: readonly (readonly [name: string, scheme: Scheme])[];
}

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
/** With `--docs`, the screenshots in the documentation are also updated. */
const isForDocs = process.argv.includes('--docs');
const queue = PAGES.flatMap((page) =>
  SCREENS.map(({ options, forms }): Visit => {
    const pictures = Object.entries(forms).map(([form, scheme]) => [`${page.name}.${form}`, scheme] as const);
    return { page, options, pictures: pictures.filter(([name]) => words.every((word) => name.includes(word))) };
  }),
).filter(({ pictures }) => pictures.length > 0);

const executablePath = findChromium();
if (executablePath === undefined) throw new Error('This needs Chromium: install chromium, or set CHROMIUM_PATH.');
mkdirSync(join(FOLDER, 'data'), { recursive: true });
const provider = await startProvider();
const service = await start();
const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_FLAGS, '--hide-scrollbars'] });
await Promise.all(Array.from({ length: PARALLEL }, takeAll));
await browser.close();
await service.stop();
await provider.shut();

/** Starts the service. If its data folder is empty, first generates the demo data. */
async function start(): Promise<Service> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    RATE_LIMIT_PER_HOUR: '6000',
    DATA_DIR: join(FOLDER, 'data'),
    NOW,
    PORT: port,
    PUBLIC_URL: url,
    ...provider.environment,
  };
  return startService(mkdtempSync(join(tmpdir(), 'shots-')), settings);
}

async function takeAll(): Promise<void> {
  for (let visit = queue.shift(); visit !== undefined; visit = queue.shift()) {
    const problems: string[] = [];
    await take(browser, visit, problems).catch((error: unknown) =>
      problems.push(String(error).split('\n', 2).join(' ')),
    );
    if (problems.length === 0) continue;
    process.exitCode = 1;
    process.stdout.write(`PROBLEMS of ${visit.page.path}: ${problems.join('; ')}\n`);
  }
}

async function take(from: Browser, { page: shown, options, pictures }: Visit, problems: string[]): Promise<void> {
  const [[, colorScheme = 'light'] = []] = pictures;
  const context = await from.newContext({ ...options, colorScheme, reducedMotion: 'reduce', locale: 'en-US' });
  context.setDefaultTimeout(10_000);
  // With a fixed time, the age of the data does not depend on the day of the screenshots.
  await context.clock.setFixedTime(new Date(NOW));
  const page = await context.newPage();
  page.on('console', (message) => {
    const isExpected = shown.status !== undefined && message.text().includes(` ${shown.status} `);
    if (message.type() === 'error' && !isExpected) problems.push(message.text());
  });
  page.on('pageerror', ({ message }) => problems.push(message));
  if (shown.isSignedIn) provider.next.claims = { ...ADA, sub: `host|${users++}` };
  await page.goto(service.url + (shown.isSignedIn ? `/sign-in/?return_to=${shown.path}` : shown.path));
  await completePage(page);
  await shown.prepare?.(page);
  for (const [name, scheme] of pictures) {
    await page.emulateMedia({ colorScheme: scheme });
    await completePage(page);
    const path = join(FOLDER, `${name}.png`);
    // Charts are redrawn after a change of the theme.
    await page.waitForTimeout(PAUSE_MS);
    if (isForDocs && name === `${shown.name}.light` && shown.isInDocs === true) {
      writeFileSync(
        join('docs/images', `${shown.name}.webp`),
        await writeWebp(from, await page.screenshot(UPPER_PART)),
      );
    }
    await page.screenshot({ path, fullPage: shown.isScreen !== true, animations: 'disabled', caret: 'initial' });
    process.stdout.write(`${path}  ${Math.ceil(statSync(path).size / 1024)} KB\n`);
  }
  await context.close();
}
