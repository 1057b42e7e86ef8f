import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { type Catalogue, type CatalogueTable, didYouMean, readCatalogue } from '../../../engine/index.js';
import { openWarehouse } from '../../../server/open-database.js';
import { readApiFolder } from '../../../server/settings/read-api-folder.js';
import type { Settings } from '../../../server/settings/settings.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { createDefinition } from '../endpoint/write/create-definition.js';
import { apiText, EXAMPLE_DEFINITION, environmentText, IGNORED, readmeText } from './folder-texts.js';

export interface InitOptions {
  readonly databaseUrl?: string;
  readonly table?: string;
  readonly title?: string;
}

/**
 * Creates the folder of an API: `api.yaml`, the settings, a README, and one definition, which is made from a table if the URL of the database
 * is known. Opens the database first, so that a wrong URL leaves no folder.
 */
export async function createApiFolder(context: CommandContext, name: string, options: InitOptions): Promise<void> {
  const { cwd, output } = context;
  const folder = resolve(cwd, name);
  await requireEmpty(folder, name);
  const { databaseUrl, title = titleOf(folder) } = options;
  if (databaseUrl === undefined && options.table !== undefined) throw new Error('--table needs --database-url.');
  const settings: Settings = {
    ...context.settings,
    databaseUrl,
    endpointsDirectory: undefined,
    dataDirectory: join(folder, 'data'),
    api: { folder, title, description: '', tables: [] },
  };
  const opened = databaseUrl === undefined ? undefined : await openWarehouse(settings, { migrating: false });
  try {
    const table = opened && chooseTable(await readCatalogue(opened.database, context.signal), options.table);
    await writeFiles(folder, { title, databaseUrl, isExample: table === undefined });
    output.print(`created ${relative(cwd, folder) || '.'}`);
    if (opened !== undefined && table !== undefined) {
      const api = await readApiFolder(folder);
      const warehouse = async () => opened;
      await createDefinition(
        { ...context, settings: { ...settings, api }, cwd: folder, warehouse },
        { table, param: [], keep: [] },
      );
    }
  } finally {
    await opened?.close();
  }
  output.note(
    `Next: cd ${name}, then \`repo-insight serve --watch\`.${databaseUrl === undefined ? ' Set DATABASE_URL in .env first.' : ''}`,
  );
}

async function requireEmpty(folder: string, name: string): Promise<void> {
  const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new Error(`${name} cannot be used as the folder: ${error.message}`);
  });
  if (files.length > 0) throw new Error(`The folder ${name} is not empty. Choose the name of a new folder.`);
}

function titleOf(folder: string): string {
  const words = basename(folder)
    .replaceAll(/[-_.]+/g, ' ')
    .trim();
  return words === '' ? 'My API' : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the table of the first endpoint: the given one, else the largest one with a key. Undefined if the database has no table. */
function chooseTable(catalogue: Catalogue, given: string | undefined): string | undefined {
  if (given !== undefined) {
    const table = catalogue.get(given.toLowerCase());
    if (table !== undefined) return table.name;
    throw new Error(`--table ${given}: the database has no such table${didYouMean(given, [...catalogue.keys()])}.`);
  }
  const rank = ({ keys, rows = 0 }: CatalogueTable) => (keys.length > 0 ? 1 : 0) * 1e15 + rows;
  const [best] = [...catalogue.values()].sort((a, b) => rank(b) - rank(a) || a.name.localeCompare(b.name));
  return best?.name;
}

interface FolderContent {
  readonly title: string;
  readonly databaseUrl: string | undefined;
  /** Whether the folder gets a definition that reads no table. */
  readonly isExample: boolean;
}

async function writeFiles(folder: string, { title, databaseUrl, isExample }: FolderContent): Promise<void> {
  await mkdir(join(folder, 'endpoints'), { recursive: true });
  const files = {
    'api.yaml': apiText(title),
    '.env.example': environmentText(undefined),
    '.gitignore': IGNORED,
    'README.md': readmeText(title),
    ...(isExample && { 'endpoints/hello.yaml': EXAMPLE_DEFINITION }),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  // Only the owner may read the password in the URL.
  await writeFile(join(folder, '.env'), environmentText(databaseUrl), { mode: 0o600 });
}
