import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { waitUntil } from './complete-page.js';
import { DESKTOP, PHONE } from './sessions.js';

/** Expects that axe has no serious or critical findings in the light theme, and that its color rules have none in the dark theme. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(AXE);
  for (const [colorScheme, rules] of [
    ['light', ALL_RULES],
    ['dark', COLOR_RULES],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    const findings = (await page.evaluate(runAxe(rules))) as readonly string[];
    expect({ url: page.url(), colorScheme, findings }).to.deep.equal({ url: page.url(), colorScheme, findings: [] });
  }
}

/** Expects that the page fits the width of a desktop and of a small phone: only tables and code may scroll horizontally. */
export async function expectFits(page: Page): Promise<void> {
  for (const { viewport } of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport);
    // The browser applies the new size in one of its next frames.
    await waitUntil(page, `innerWidth === ${viewport.width}`);
    const wide = await page.evaluate(FIND_WIDE);
    expect({ url: page.url(), width: viewport.width, wide }).to.deep.equal({
      url: page.url(),
      width: viewport.width,
      wide: [],
    });
  }
  await page.setViewportSize(DESKTOP.viewport);
}

/** Expects that the element with the focus is visible and has an outline. */
export async function expectVisibleFocus(page: Page): Promise<void> {
  const focus = (await page.evaluate(DESCRIBE_FOCUS)) as { readonly element: string };
  expect(focus).to.deep.equal({ element: focus.element, isVisible: true, isMarked: true });
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const ALL_RULES = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
} as const;
const COLOR_RULES = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } as const;

/** Returns the findings as text: rule, elements and reason. */
const runAxe = (runOnly: typeof ALL_RULES | typeof COLOR_RULES) => `axe.run(document, {
  runOnly: ${JSON.stringify(runOnly)},
  resultTypes: ['violations'],
}).then(({ violations }) => violations
  .filter(({ impact }) => impact === 'serious' || impact === 'critical')
  .flatMap(({ id, nodes }) => nodes.slice(0, 3).map((node) =>
    id + ': ' + node.html.slice(0, 200) + ' — ' + [...node.any, ...node.all, ...node.none].map(({ message }) => message).join(' '))))`;

/** Finds the elements that make the document wider than the window; empty if the document fits. */
const FIND_WIDE = `(() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const wide = [...document.body.querySelectorAll('*')].filter((element) => element.getBoundingClientRect().right > width + 1);
  return ['document: ' + document.documentElement.scrollWidth, ...wide.slice(0, 5).map((element) => element.outerHTML.slice(0, 120))];
})()`;

const DESCRIBE_FOCUS = `(() => {
  const element = document.activeElement;
  const box = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  const isMarked = (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none';
  return { element: element.outerHTML.slice(0, 120), isVisible: box.width > 0 && box.height > 0, isMarked };
})()`;
