import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileProblem } from '../../definitions/problem.js';
import { ConversionLog, type ConversionResult } from './conversion.js';
import { convertDataApp } from './data-service.js';
import { toKebabCase } from './names.js';
import { convertQueryFolder } from './query-folder.js';
import { SourceFolder } from './source-folder.js';
import { convertSqlFile } from './sql-file.js';

/** The formats that can be imported. */
export const FOREIGN_FORMATS = ['folders', 'data-service', 'sql'] as const;
export type ForeignFormat = (typeof FOREIGN_FORMATS)[number];

/** The files of one format in a folder. */
export interface ForeignSources {
  readonly format: ForeignFormat;
  convert(): Promise<ConversionResult[]>;
}

/**
 * Finds the definitions in a folder or a file. Without a given format, it is detected from the files. `routePrefix` is
 * the start of the routes. Throws an error for the user if there is nothing to import, or if the format is not clear.
 */
export async function findSources(
  given: string,
  format: ForeignFormat | undefined,
  routePrefix: string,
): Promise<ForeignSources> {
  const path = basename(given) === 'dataapp_config.json' ? dirname(given) : given;
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new Error(`${path} does not exist.`);
  const folder = new SourceFolder(found.isDirectory() ? path : folderOf(path));
  const { files, links } = found.isDirectory() ? await folder.list() : { files: [path], links: [] };
  const byFormat = groupFiles(files);
  if (found.isDirectory() && (format ?? 'data-service') === 'data-service') requireCompleteApp(files, byFormat);
  const chosen = format ?? detectFormat(path, byFormat);
  const wanted = byFormat[chosen];
  if (wanted.length === 0)
    throw new Error(`${path} contains no definitions of the format ${chosen}: ${EXPECTED[chosen]}.`);
  const known = new Set(await existingFiles(found.isDirectory(), folder, files, path));
  const convertFile = async (file: string): Promise<ConversionResult[]> => {
    if (chosen === 'sql') return convertSqlFile(folder, file);
    if (chosen === 'data-service') return convertDataApp(folder, file, routePrefix);
    return [await convertQueryFolder(folder, file, (other) => known.has(other))];
  };
  const convert = async () => {
    const results: ConversionResult[] = [];
    for (const file of wanted) results.push(...(await convertFile(file)));
    return [...results, ...links.map((link) => linkResult(folder, link))];
  };
  return { format: chosen, convert };
}

const EXPECTED: Readonly<Record<ForeignFormat, string>> = {
  folders: 'expected folders with params.json and template.sql',
  'data-service': 'expected http_endpoints/config.json',
  sql: 'expected files with the extension .sql',
};

/** Returns the file of each definition, by format. */
function groupFiles(files: readonly string[]): Readonly<Record<ForeignFormat, readonly string[]>> {
  const queryFolders = new Set(
    files.filter((file) => ['params.json', 'template.sql'].includes(basename(file))).map(dirname),
  );
  const apps = files.filter((file) => /(^|[\\/])http_endpoints[\\/]config\.json$/.test(file));
  const inApp = (file: string) => apps.some((app) => dirname(file).startsWith(dirname(app)));
  return {
    folders: [...queryFolders].map((folder) => join(folder, 'params.json')),
    'data-service': apps,
    sql: files.filter((file) => /\.sql$/i.test(file) && !queryFolders.has(dirname(file)) && !inApp(file)),
  };
}

/** Throws if the files are a Data App without `config.json`: the SQL files alone do not declare their parameters. */
function requireCompleteApp(files: readonly string[], byFormat: ReturnType<typeof groupFiles>): void {
  if (byFormat['data-service'].length > 0 || byFormat.folders.length > 0) return;
  const [app] = files.flatMap((file) => {
    if (basename(file) === 'dataapp_config.json') return [dirname(file)];
    return /^(.*?)[\\/]?\bhttp_endpoints[\\/]/.exec(file)?.[1] ?? [];
  });
  if (app === undefined) return;
  throw new Error(
    `${join(app, 'http_endpoints', 'config.json')}, which lists the endpoints of this Data App, does not exist. Export the ` +
      'Data App again, or import its SQL files with --from sql.',
  );
}

function detectFormat(path: string, byFormat: ReturnType<typeof groupFiles>): ForeignFormat {
  const present = FOREIGN_FORMATS.filter((format) => byFormat[format].length > 0);
  const [only, other] = present;
  if (only === undefined)
    throw new Error(`${path} contains nothing to import: ${Object.values(EXPECTED).join(', or ')}.`);
  if (other === undefined) return only;
  throw new Error(`${path} contains several formats: choose one with --from (${present.join(', ')}).`);
}

/** Returns the folder of the whole definition to which a file belongs. A Data App has its files in two folders. */
function folderOf(file: string): string {
  const folder = dirname(file);
  return basename(folder) === 'http_endpoints' ? dirname(folder) : folder;
}

async function existingFiles(isFolder: boolean, folder: SourceFolder, files: readonly string[], path: string) {
  return isFolder || basename(path) !== 'params.json' ? files : (await folder.list()).files;
}

/** Rejects a link to a folder, because it can lead to a cycle, or outside of the imported folder. */
function linkResult(folder: SourceFolder, link: string): ConversionResult {
  const log = new ConversionLog();
  log.problems.push(fileProblem(link, 'a link to a folder is not followed: import its target'));
  return log.result(toKebabCase(folder.nameOf(link)), { file: link, line: 1, column: 1 }, undefined);
}
