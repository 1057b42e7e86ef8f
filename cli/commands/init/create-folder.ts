import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { type FileTable, nameOfFiles } from '../../../engine/databases/duckdb/connection/file-tables.js';
import { type Catalogue, type CatalogueTable, didYouMean, readCatalogue } from '../../../engine/index.js';
import { openWarehouse } from '../../../server/databases/open-database.js';
import type { OpenDatabase } from '../../../server/databases/warehouse.js';
import { relativeDatabaseUrl, resolveDatabaseUrl } from '../../../server/settings/database-location.js';
import { makeFolder } from '../../../server/settings/make-folder.js';
import { API_DEFAULTS } from '../../../server/settings/read-api-folder.js';
import type { Settings } from '../../../server/settings/settings.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { errorMessage } from '../../terminal/error-message.js';
import { createDefinition } from '../endpoint/write/create-definition.js';
import { apiText, EXAMPLE_DEFINITION, environmentText, IGNORED, readmeText } from './folder-texts.js';

export interface InitOptions {
  readonly databaseUrl?: string;
  /** Patterns of files. Each pattern becomes a table. */
  readonly files: readonly string[];
  readonly table?: string;
  readonly title?: string;
}

/**
 * Creates the folder of an API: `api.yaml`, the settings, a README, the tables of files, and one definition, which is made from a table if
 * there is data. Reads the data first, so that a wrong URL or file leaves no folder.
 */
export async function createApiFolder(context: CommandContext, name: string, options: InitOptions): Promise<void> {
  const { cwd, output, signal } = context;
  const folder = resolve(cwd, name);
  await requireEmpty(folder, name);
  const { title = titleOf(folder), files } = options;
  if (title.trim() === '' || title.length > MAX_TITLE)
    throw new Error(`--title: expected 1 to ${MAX_TITLE} characters.`);
  const databaseUrl = options.databaseUrl && resolveDatabaseUrl(options.databaseUrl, cwd);
  const hasData = databaseUrl !== undefined || files.length > 0;
  if (databaseUrl !== undefined && files.length > 0) throw new Error('--files and --database-url exclude each other.');
  if (options.table !== undefined && !hasData) throw new Error('--table needs --database-url or --files.');
  const tables = files.map((pattern) => tableOf(resolve(cwd, pattern)));
  const temporary = await mkdtemp(join(tmpdir(), 'repo-insight-init-'));
  const api = {
    folder,
    title,
    description: '',
    ...API_DEFAULTS,
    tables,
  };
  const settings: Settings = {
    ...context.settings,
    databaseUrl,
    endpointsDirectory: undefined,
    dataDirectory: temporary,
    api,
  };
  let opened: OpenDatabase | undefined;
  try {
    if (hasData) opened = await openWarehouse(settings, { migrating: false });
    const table = opened && chooseTable(await readCatalogue(opened.database, signal), options.table);
    await writeFiles(folder, { title, databaseUrl, tables, isExample: table === undefined });
    output.print(`created ${relative(cwd, folder) || '.'}`);
    if (opened !== undefined && table !== undefined) {
      const database = opened;
      const warehouse = async () => database;
      await createDefinition({ ...context, settings, cwd: folder, warehouse }, { table, param: [], keep: [] }).catch(
        (error: unknown) => {
          output.warn(`The first endpoint could not be made from the table ${table}: ${errorMessage(error)}`);
          context.exitCode = 1;
        },
      );
    }
  } finally {
    await opened?.close();
    await rm(temporary, { recursive: true });
  }
  const next = hasData ? '' : ' First set DATABASE_URL in .env, or describe files in tables/.';
  output.note(`Next: cd ${name}, then \`repo-insight serve --watch\`.${next}`);
}

/** As in `schemas/api.schema.json`. */
const MAX_TITLE = 100;

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
  readonly tables: readonly FileTable[];
  /** Whether the folder gets a definition that reads no table. */
  readonly isExample: boolean;
}

async function writeFiles(folder: string, { title, databaseUrl, tables, isExample }: FolderContent): Promise<void> {
  await makeFolder(join(folder, 'endpoints'), 'the API');
  if (tables.length > 0) await makeFolder(join(folder, 'tables'), 'the API');
  const files = {
    'api.yaml': apiText(title),
    '.env.example': environmentText(undefined),
    '.gitignore': IGNORED,
    'README.md': readmeText(title),
    ...(isExample && { 'endpoints/hello.yaml': EXAMPLE_DEFINITION }),
    ...Object.fromEntries(
      tables.map(({ name, source }) => [
        `tables/${name}.yaml`,
        `source: ${JSON.stringify(relative(folder, source))}\n`,
      ]),
    ),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  // Only the owner may read the password in the URL.
  const environment = environmentText(databaseUrl && relativeDatabaseUrl(databaseUrl, folder));
  await writeFile(join(folder, '.env'), environment, { mode: 0o600 });
}

/** Returns the table of a pattern of files, with the name of the files. */
function tableOf(source: string): FileTable {
  const name = nameOfFiles(source)
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '_')
    .replace(/^[^a-z]+/, '');
  if (name !== '') return { name, source, description: '', columns: {} };
  throw new Error(
    `--files ${source}: expected a name of files or of a folder with letters, such as data/sales/*.parquet.`,
  );
}
