import { type Problem, routeShape } from '../../engine/index.js';
import type { BrokenPage, LoadedPage, LoadedPages } from './page-loader.js';

/** A page that is served. */
export interface ServedPage extends LoadedPage {
  /** Set if the current file has problems and this is its last good version: since when, and the problems. */
  readonly outdated?: { readonly since: Date; readonly problems: readonly Problem[] };
}

/** The pages of a running service. */
export interface PagesState {
  readonly pages: readonly ServedPage[];
  /** Pages with problems for which no good version exists. */
  readonly broken: readonly BrokenPage[];
}

export const NO_PAGES: PagesState = { pages: [], broken: [] };

/** Determines which pages are served after a load. For a page with problems, the last good version is kept, if there is one. */
export function nextPages(
  before: PagesState,
  { pages, broken }: Pick<LoadedPages, 'pages' | 'broken'>,
  now: Date,
): PagesState {
  const files = new Set([...pages, ...broken].map(({ file }) => file));
  const kept = new Map<BrokenPage, ServedPage>();
  for (const one of broken) {
    const isRenamed = ({ page, file }: ServedPage) => page.name === one.name && !files.has(file);
    const last = before.pages.find(({ file }) => file === one.file) ?? before.pages.find(isRenamed);
    // A valid page with the same name or path replaces the last good version.
    if (last === undefined || pages.some((page) => isSameAddress(page, last))) continue;
    const since = last.outdated?.since ?? now;
    kept.set(one, { page: last.page, file: one.file, outdated: { since, problems: one.problems } });
  }
  return {
    pages: [...pages, ...kept.values()].sort((one, other) => (one.page.name < other.page.name ? -1 : 1)),
    broken: broken.filter((one) => !kept.has(one)),
  };
}

function isSameAddress({ page: one }: LoadedPage, { page: other }: LoadedPage): boolean {
  return one.name === other.name || routeShape(one.path) === routeShape(other.path);
}
