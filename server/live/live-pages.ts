import type { KnownDefinitions } from '../../console/pages/check-block.js';
import { NO_PAGES, nextPages, type PagesState, type ServedPage } from '../../console/pages/next-pages.js';
import { type LoadedPages, PageLoader } from '../../console/pages/page-loader.js';
import type { Problem } from '../../engine/index.js';
import { findChanges } from './find-changes.js';
import { loadComplete } from './load-complete.js';
import type { PageChanges } from './reload-report.js';

export interface PageReport extends PageChanges {
  readonly problems: readonly Problem[];
}

/** The pages of a running service. Pages are loaded together with the definitions, because they show the results of definitions. */
export class LivePages {
  readonly folders: readonly string[];
  readonly #loader: PageLoader;
  readonly #clock: () => Date;
  #state: PagesState = NO_PAGES;

  constructor(folders: readonly string[], clock: () => Date) {
    this.folders = folders;
    this.#loader = new PageLoader(folders);
    this.#clock = clock;
  }

  /** Returns the pages that are served now. */
  state(): PagesState {
    return this.#state;
  }

  /** Loads the pages for the first time. */
  async start(definitions: KnownDefinitions): Promise<LoadedPages> {
    const loaded = await this.#loader.load(definitions);
    this.#state = nextPages(NO_PAGES, loaded, this.#clock());
    return loaded;
  }

  /** Reads the changed files, and checks all pages against the definitions that are served. */
  async reload(definitions: KnownDefinitions): Promise<PageReport> {
    const before = this.#state;
    const loaded = await this.#load(definitions);
    // A folder that cannot be read is usually a mistake, and not a request to remove all its pages.
    if (loaded.folders.length === 0) this.#state = nextPages(before, loaded, this.#clock());
    return { ...changesOf(before.pages, this.#state.pages), problems: loaded.problems };
  }

  #load(definitions: KnownDefinitions): Promise<LoadedPages> {
    const load = () => this.#loader.load(definitions);
    return loadComplete(load, this.#state.pages, ({ pages, broken }) => [...pages, ...broken]);
  }
}

function changesOf(before: readonly ServedPage[], after: readonly ServedPage[]): PageChanges {
  const isSame = (one: ServedPage, other: ServedPage) =>
    one.page === other.page && (one.outdated === undefined) === (other.outdated === undefined);
  return {
    ...findChanges(byName(before), byName(after), isSame),
    outdated: after.filter(({ outdated }) => outdated !== undefined).map(({ page }) => page.name),
  };
}

function byName(pages: readonly ServedPage[]): ReadonlyMap<string, ServedPage> {
  return new Map(pages.map((one) => [one.page.name, one]));
}
