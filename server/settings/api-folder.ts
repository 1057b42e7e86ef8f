import type { FileTable } from '../../engine/databases/duckdb/connection/file-tables.js';
import type { ClaimDefinitions, Environment } from '../../engine/index.js';

/** An API over a database of the operator: a folder with `api.yaml`, definitions and pages. It has none of the parts for GitHub. */
export interface ApiFolder {
  readonly folder: string;
  readonly title: string;
  readonly description: string;
  /** The beginnings of the paths of endpoints, such as `/v1`. */
  readonly prefixes: readonly string[];
  /** The variables of the environment that definitions may bind as `{{ env.NAME }}`. */
  readonly environment: Environment;
  /** Who can read the endpoints whose definitions have no `access`: the entries of `access`, or `public`. */
  readonly access: readonly string[];
  /** The claims that SQL can bind as `{{ caller.claims.NAME }}`. */
  readonly claims: ClaimDefinitions;
  /** The conditions on the rows of tables, by table in lower case. */
  readonly rowFilters: ReadonlyMap<string, string>;
  /** The tables that untrusted SQL may read: all their columns, `*`, or a list of columns. */
  readonly published: Readonly<Record<string, '*' | readonly string[]>>;
  /** The tables whose rows are in files. */
  readonly tables: readonly FileTable[];
  /** The descriptions of tables of the database. */
  readonly described: readonly DescribedTable[];
}

/** A description of a table and of its columns by name; the description of the table can be empty. */
export type DescribedTable = Pick<FileTable, 'name' | 'description' | 'columns'>;

/** The file that makes the working directory the folder of an API. */
export const API_FILE = 'api.yaml';
