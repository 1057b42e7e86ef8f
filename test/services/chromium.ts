import { spawnSync } from 'node:child_process';
import { type Browser, type BrowserServer, chromium } from 'playwright-core';
import { installPackage } from './debian.js';
import { sharedResource } from './shared-resource.js';
import { closeAtEnd } from './test-run.js';

/**
 * Connects the calling suite to the Chromium that all suites of a run share. Each test uses its own contexts, which share no cookies,
 * storage or cache. Without Chromium, the suite is skipped, or with `REQUIRE_SERVICES=1` fails. The result must only be read in tests and
 * hooks.
 */
export function useChromium(): { readonly browser: Browser } {
  let browser: Browser | undefined;
  before(async function () {
    const endpoint = await sharedResource('/chromium');
    if (endpoint === '') return skip(this);
    connection ??= chromium.connect(endpoint);
    browser = await connection;
  });
  return {
    get browser() {
      if (browser === undefined) throw new Error('The browser is available in tests and hooks only.');
      return browser;
    },
  };
}

/** The connection that all suites of this process share. */
let connection: Promise<Browser> | undefined;
closeAtEnd(async () => (await connection)?.close());

/** Starts the browser for a test run. Suites connect to its endpoint. Chromium ends with this process. */
export function startChromium(executablePath: string): Promise<BrowserServer> {
  return chromium.launchServer({ executablePath, args: [...CHROMIUM_FLAGS] });
}

/** Returns the path of Chromium. If Chromium is missing and this process runs as root on Debian, installs it first. */
export function chromiumPath(): string | undefined {
  return findChromium() ?? (installPackage('chromium') ? findChromium() : undefined);
}

/** Returns the path of an installed Chromium: from `CHROMIUM_PATH`, or found in `PATH`. */
export function findChromium(): string | undefined {
  const given = process.env.CHROMIUM_PATH ?? '';
  if (given === '') return NAMES.find(isProgram);
  if (!isProgram(given)) throw new Error(`CHROMIUM_PATH: ${given} is not a program that runs.`);
  return given;
}

function isProgram(command: string): boolean {
  return spawnSync(command, ['--version']).status === 0;
}

const NAMES = ['/usr/bin/chromium', 'chromium', 'chromium-browser', 'google-chrome'];

/** With these flags, the browser runs in containers without a graphics card, and only sends requests for the pages of the tests. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

function skip(context: Mocha.Context): void {
  const reason = 'needs Chromium: install chromium, or set CHROMIUM_PATH';
  if (process.env.REQUIRE_SERVICES === '1') throw new Error(`This suite ${reason}.`);
  process.stderr.write(`SKIPPED, ${reason}: ${context.currentTest?.parent?.title ?? context.test?.parent?.title}\n`);
  context.skip();
}
