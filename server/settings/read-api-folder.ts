import { readdir, readFile } from 'node:fs/promises';
import { basename, join, parse, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { type FileTable, pathOf } from '../../engine/databases/duckdb/connection/file-tables.js';
import {
  checkShape,
  DEFAULT_PREFIXES,
  describeValue,
  type Environment,
  formatProblem,
  isClaimValue,
  isMapping,
  parseDocument,
} from '../../engine/index.js';
import { API_FILE, type ApiFolder, type DescribedTable } from './api-folder.js';

/** The keys of `api.yaml` that a folder can omit, with their defaults. */
export const API_DEFAULTS: Omit<ApiFolder, 'folder' | 'title' | 'description'> = {
  ...{ prefixes: DEFAULT_PREFIXES, environment: {}, access: ['public'], claims: {}, rowFilters: new Map() },
  ...{ published: {}, tables: [], described: [] },
};

/**
 * Reads `api.yaml` and the files of `tables/` in a folder. `environment` contains all variables. Throws an Error with every problem of the
 * first wrong file.
 */
export async function readApiFolder(folder: string, environment: Environment): Promise<ApiFolder> {
  const file = join(folder, API_FILE);
  type Written = Pick<ApiFolder, 'title'> &
    Partial<Pick<ApiFolder, 'description' | 'prefixes' | 'published' | 'claims'>> & {
      readonly env?: readonly string[];
      readonly access?: string | readonly string[];
    };
  const written = await readMapping<Written>(file, 'api.schema.json');
  const { title, description = `The API ${title}.`, prefixes = DEFAULT_PREFIXES, published = {}, env = [] } = written;
  const { access = 'public', claims = {} } = written;
  const taken = prefixes.find((prefix) => RESERVED_SEGMENTS.has(prefix.split('/')[1] ?? ''));
  if (taken !== undefined)
    throw new Error(`${file}: prefixes: ${taken} is a path of the program itself; choose another one.`);
  const allowed = Object.fromEntries(env.map((name) => [name, environment[name]]));
  const files = await readTableFiles(folder);
  const all = files.map(({ table }) => table);
  const tables = all.filter((table) => 'source' in table);
  const described = all.filter((table) => !('source' in table));
  const rowFilters = new Map(
    files.flatMap(({ table, rowFilter }) => (rowFilter === undefined ? [] : [[table.name.toLowerCase(), rowFilter]])),
  );
  const wrong = Object.entries(claims).find(([, claim]) => !isClaimValue(claim, claim.example));
  if (wrong !== undefined)
    throw new Error(`${file}: claims: ${wrong[0]}: the example is not a value of the type ${wrong[1].type}.`);
  return {
    ...{ folder, title, description, prefixes, environment: allowed, published, tables, described },
    ...{ access: [access].flat(), claims, rowFilters },
  };
}

/** The first segments of the paths of the program. */
export const RESERVED_SEGMENTS: ReadonlySet<string> = new Set([
  ...[
    'assets',
    'badge',
    'console',
    'docs',
    'e',
    'embed',
    'feed',
    'healthy',
    'livez',
    'mcp',
    'metrics',
    'openapi-3.0.json',
  ],
  ...['openapi.json', 'p', 'playground', 'q', 'readyz', 'robots.txt', 'sitemap.xml'],
]);

/** A file of `tables/`. */
interface TableFile {
  readonly table: FileTable | DescribedTable;
  readonly rowFilter: string | undefined;
}

async function readTableFiles(folder: string): Promise<TableFile[]> {
  const names = await readdir(join(folder, 'tables')).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files = names.filter((name) => /\.(ya?ml|json)$/i.test(name)).sort();
  const keyOf = (file: string) => parse(file).name.toLowerCase();
  const twice = files.find((file, index) => files.slice(0, index).some((other) => keyOf(other) === keyOf(file)));
  if (twice !== undefined) throw new Error(`tables/${twice}: another file has the name of this table.`);
  return Promise.all(files.map((name) => readTableFile(folder, join(folder, 'tables', name))));
}

async function readTableFile(folder: string, file: string): Promise<TableFile> {
  const name = parse(file).name;
  type Written = Partial<Pick<FileTable, 'source' | 'description' | 'columns'>> & { readonly row_filter?: string };
  const {
    source,
    description = '',
    columns = {},
    row_filter: rowFilter,
  } = await readMapping<Written>(file, 'file-table.schema.json');
  if (source === undefined) return { table: { name, description, columns }, rowFilter };
  if (!/^(?!duckdb_|pg_|sqlite_|information_schema$)[a-z][a-z0-9_]{0,63}$/.test(name)) {
    throw new Error(`${file}: expected a file name of lower case letters, digits and _, such as sales.yaml`);
  }
  if (/^\w+:\/\//.test(source))
    throw new Error(`${file}: source: expected a path of files on this machine, got ${source}`);
  const table = { name, source: resolve(folder, source), description, columns };
  // SQL of callers runs in a process that can read all files of the folder of a pattern, such as the passwords in `.env`.
  if (pathOf(table).endsWith('/') && `${folder}/`.startsWith(pathOf(table)))
    throw new Error(`${file}: source: expected a pattern in a folder that does not contain ${API_FILE}, got ${source}`);
  return { table, rowFilter };
}

/** Reads a file that a JSON Schema describes. Throws an Error with all problems of the file. */
export async function readMapping<T>(file: string, schema: string): Promise<T> {
  const document = parseDocument(file, await readFile(file));
  if (!('value' in document)) throw new Error(formatProblem(document));
  const { value } = document;
  if (!isMapping(value)) {
    throw new Error(formatProblem(document.problem([], 'expected a mapping', { got: describeValue(value) })));
  }
  const { problems } = checkShape({ ...document, value }, schema);
  if (problems.length === 0) return value as T;
  throw new Error(`Wrong ${basename(file)}:\n${problems.map((one) => `  ${formatProblem(one)}`).join('\n')}`);
}

/** Reads the variables of the file `.env` in a folder; none if there is no such file. */
export async function readEnvironmentFile(folder: string): Promise<Readonly<Record<string, string | undefined>>> {
  const text = await readFile(join(folder, '.env'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return parseEnv(text);
}
