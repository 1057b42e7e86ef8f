import { readFile } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import type { LoadedEndpoints, Problem } from '../../../../engine/index.js';
import type { CommandContext } from '../../../terminal/command-context.js';
import { pathOf } from '../named-definitions.js';

/** The valid pages, and all problems that were found in pages. */
export interface PageReport {
  readonly pages: readonly string[];
  readonly problems: readonly Problem[];
}

/** Checks all pages of PAGES_DIR, or only these files, against the definitions. */
export async function checkPages(
  { settings }: Pick<CommandContext, 'settings'>,
  definitions: Pick<LoadedEndpoints, 'endpoints' | 'broken'>,
  files: readonly string[] | undefined,
): Promise<PageReport> {
  const { PageLoader } = await import('../../../../console/pages/page-loader.js');
  const { pageFolders } = await import('../../../../server/settings/definition-folders.js');
  const folders = pageFolders(settings);
  const inFolders = await new PageLoader(folders).load(definitions);
  if (files === undefined) return { pages: inFolders.pages.map(({ page }) => page.name), problems: inFolders.problems };
  const isNamed = ({ file }: { readonly file: string }) => files.includes(resolve(file));
  const known = [...inFolders.pages, ...inFolders.broken].map(({ file }) => resolve(file));
  const others = await new PageLoader([]).loadOnly(
    files.filter((file) => !known.includes(file)),
    definitions,
  );
  return {
    pages: [...inFolders.pages.filter(isNamed), ...others.pages].map(({ page }) => page.name),
    problems: [...inFolders.problems.filter(isNamed), ...others.problems],
  };
}

/**
 * Splits the arguments into page files, and names and files of definitions. A file is a page if it is in a folder of PAGES_DIR, or if it
 * contains blocks.
 */
export async function separatePages(
  { settings, cwd }: Pick<CommandContext, 'settings' | 'cwd'>,
  names: readonly string[],
): Promise<{ readonly pages: readonly string[]; readonly others: readonly string[] }> {
  const { pageFolders } = await import('../../../../server/settings/definition-folders.js');
  const folders = pageFolders(settings).map((folder) => resolve(folder) + sep);
  const pages: string[] = [];
  const others: string[] = [];
  for (const name of names) {
    const file = pathOf(cwd, name);
    const isPage = file !== undefined && (folders.some((folder) => file.startsWith(folder)) || (await hasBlocks(file)));
    if (isPage) pages.push(file);
    else others.push(name);
  }
  return { pages, others };
}

async function hasBlocks(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return /^(blocks:|\s*"blocks"\s*:)/m.test(text) && !/^(sql:|\s*"sql"\s*:)/m.test(text);
}
