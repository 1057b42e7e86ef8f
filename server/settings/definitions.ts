import { resolve, sep } from 'node:path';
import {
  DefinitionLoader,
  type DefinitionScope,
  DefinitionsError,
  type Dialect,
  deduplicateProblems,
  type Endpoint,
  type LoadedEndpoints,
  loadEndpointFiles,
  type PrivateData,
  prepareEndpoints,
} from '../../engine/index.js';
import { PRIVATE_DATA } from '../../warehouse/rules/private-data.js';
import { definitionFolders, type FolderSettings } from './definition-folders.js';

export function createDefinitionLoader(
  settings: FolderSettings,
  folders = definitionFolders(settings),
): DefinitionLoader {
  return new DefinitionLoader(folders, scopeOf(settings));
}

/** Creates the loader of a service: in the folder of an API, materialized definitions read their tables. */
export function createServiceLoader(settings: FolderSettings): DefinitionLoader {
  const materializes = settings.api !== undefined;
  return new DefinitionLoader(definitionFolders(settings), { ...scopeOf(settings), materializes });
}

/** Returns the names of the tables that a service creates for its materialized definitions. */
export async function readRollupTables(settings: FolderSettings): Promise<ReadonlySet<string>> {
  const { endpoints } = await createServiceLoader(settings).load();
  return new Set(endpoints.flatMap(({ rollup }) => rollup?.table ?? []));
}

/** Returns what definitions may use. */
export function scopeOf(
  settings: Pick<FolderSettings, 'api'>,
): DefinitionScope & { readonly privateData: PrivateData } {
  const { prefixes, environment, claims, access, rowFilters } = settings.api ?? {};
  return { privateData: privateDataOf(settings), prefixes, environment, claims, access, rowFilters };
}

/** Returns the tables and columns that definitions must not return: those of the GitHub service, and none in another database. */
export function privateDataOf({ api }: Pick<FolderSettings, 'api'>): PrivateData {
  return api === undefined ? PRIVATE_DATA : NO_PRIVATE_DATA;
}

const NO_PRIVATE_DATA: PrivateData = { isPrivateTable: () => false, columns: {} };

/**
 * Loads all definitions and returns the valid and the broken ones. Throws `DefinitionsError` if no definition is valid or a folder cannot
 * be read.
 */
export async function readDefinitions(
  settings: FolderSettings,
  loader = createDefinitionLoader(settings),
): Promise<LoadedEndpoints> {
  const loaded = await loader.load();
  if (loaded.folders.length > 0 || loaded.endpoints.length === 0) throw new DefinitionsError(loaded.problems);
  return loaded;
}

/** Loads all definitions. Throws `DefinitionsError` if one of them is invalid. */
export async function loadDefinitions(settings: FolderSettings): Promise<readonly Endpoint[]> {
  const { endpoints, broken, problems } = await readDefinitions(settings);
  if (broken.length > 0) throw new DefinitionsError(problems);
  return endpoints;
}

/** Loads single definition files by path. A file in the definitions folder is checked together with the rest of the folder. */
export async function loadNamedFiles(settings: FolderSettings, files: readonly string[]): Promise<LoadedEndpoints> {
  const folders = definitionFolders(settings).map((folder) => resolve(folder));
  const isInside = (file: string) => folders.some((folder) => file.startsWith(folder + sep));
  const inside = files.some(isInside) ? await createDefinitionLoader(settings, folders).load() : NONE;
  const loaded = new Set([...inside.endpoints, ...inside.broken].map(({ file }) => file));
  const others = await loadEndpointFiles(
    files.filter((file) => !loaded.has(file)),
    scopeOf(settings),
  );
  const isNamed = ({ file }: { readonly file: string }) => files.includes(file);
  const broken = [...inside.broken.filter(isNamed), ...others.broken];
  const shared = [...inside.problems.filter(isNamed), ...others.shared];
  return {
    endpoints: [...inside.endpoints.filter(isNamed), ...others.endpoints],
    broken,
    shared,
    folders: [],
    problems: deduplicateProblems([...broken.flatMap(({ problems }) => problems), ...shared]),
  };
}

const NONE: LoadedEndpoints = { endpoints: [], broken: [], shared: [], folders: [], problems: [] };

/** Moves definitions that cannot run on this SQL dialect to the broken definitions. */
export function checkDialect(
  dialect: Dialect,
  { endpoints, broken, problems, ...others }: LoadedEndpoints,
): LoadedEndpoints {
  const unprepared = prepareEndpoints(endpoints, dialect).broken;
  const more = [...unprepared.values()];
  return {
    endpoints: endpoints.filter((endpoint) => !unprepared.has(endpoint)),
    broken: [...broken, ...more],
    ...others,
    problems: deduplicateProblems([...problems, ...more.flatMap((one) => one.problems)]),
  };
}
