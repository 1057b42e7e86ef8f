import { deduplicateProblems, findDefinitionFiles, type Problem, routeShape } from '../../engine/index.js';
import type { KnownDefinitions } from './check-block.js';
import { checkPage } from './check-page.js';
import type { Page } from './page.js';
import { type PageFile, readPageFile } from './page-file.js';

/** A valid page. */
export interface LoadedPage {
  readonly page: Page;
  readonly file: string;
}

/** A page file with mistakes. The name and the path are undefined if they are missing in the file. */
export interface BrokenPage {
  readonly name: string | undefined;
  readonly path: string | undefined;
  readonly file: string;
  /** The problems, at least one. */
  readonly problems: readonly Problem[];
}

/** The pages of all folders, in the order of the files. */
export interface LoadedPages {
  readonly pages: readonly LoadedPage[];
  readonly broken: readonly BrokenPage[];
  /** Problems of folders that cannot be read. */
  readonly folders: readonly Problem[];
  /** The problems in `folders` and `broken`, and problems of valid pages whose blocks use broken definitions. */
  readonly problems: readonly Problem[];
}

/** Loads the pages of folders. After the first load, only changed files are parsed, but every page is checked against the definitions. */
export class PageLoader {
  readonly #folders: readonly string[];
  #files: ReadonlyMap<string, PageFile> = new Map();
  /** The pages by file, so that an unchanged file keeps its page object. */
  readonly #pages = new WeakMap<PageFile, LoadedPage>();

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  async load(definitions: KnownDefinitions): Promise<LoadedPages> {
    const folders: Problem[] = [];
    const found = await findDefinitionFiles(this.#folders, folders);
    const files = await Promise.all(found.map(({ path, folder }) => readPageFile(path, folder, this.#files.get(path))));
    this.#files = new Map(files.map((one) => [one.file, one]));
    return this.#check(files, definitions, folders);
  }

  /** Loads only these files, which may be outside of the folders. */
  async loadOnly(paths: readonly string[], definitions: KnownDefinitions): Promise<LoadedPages> {
    return this.#check(await Promise.all(paths.map((path) => readPageFile(path, 0))), definitions, []);
  }

  #check(files: readonly PageFile[], definitions: KnownDefinitions, folders: readonly Problem[]): LoadedPages {
    const repeats = findRepeats(files);
    const checked = files.map((file) => {
      const { problems, failing } = checkPage(file, definitions);
      return { file, failing, problems: [...problems, ...(repeats.get(file) ?? [])] };
    });
    return {
      pages: checked.filter(({ problems }) => problems.length === 0).map(({ file }) => this.#pageOf(file)),
      broken: checked
        .filter(({ problems }) => problems.length > 0)
        .map(({ file, problems }) => ({ ...file.identity, file: file.file, problems })),
      folders,
      problems: deduplicateProblems([
        ...folders,
        ...checked.flatMap(({ problems, failing }) => [...problems, ...failing]),
      ]),
    };
  }

  /** Returns the same page object for an unchanged file. */
  #pageOf(file: PageFile): LoadedPage {
    const known = this.#pages.get(file) ?? { page: file.page, file: file.file };
    this.#pages.set(file, known);
    return known;
  }
}

/**
 * Finds pages with the same name or path as another page. In the same folder, both pages are reported; in different folders, only the later
 * one.
 */
function findRepeats(files: readonly PageFile[]): ReadonlyMap<PageFile, readonly Problem[]> {
  const problems = new Map<PageFile, Problem[]>();
  for (const key of ['name', 'path'] as const) {
    const seen = new Map<string, PageFile>();
    for (const file of files) {
      const value = file.identity[key];
      if (value === undefined || file.source === undefined) continue;
      const shape = key === 'path' ? routeShape(value) : value;
      const earlier = seen.get(shape);
      if (earlier === undefined) seen.set(shape, file);
      else {
        const problem = file.source.problem([key], repeatMessage(key, value, earlier));
        const wrong = earlier.folder === file.folder ? [earlier, file] : [file];
        for (const one of wrong) problems.set(one, [...(problems.get(one) ?? []), problem]);
      }
    }
  }
  return problems;
}

function repeatMessage(key: 'name' | 'path', value: string, { file }: PageFile): string {
  return key === 'name'
    ? `the name "${value}" is already used by ${file}: choose another name`
    : `${value} matches the same URLs as the path of ${file}: choose another path`;
}
