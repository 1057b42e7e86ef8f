import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describeQuery } from '../../cli/commands/endpoint/write/describe-query.js';
import {
  compareColumns,
  maskClock,
  type ProposedDefinition,
  proposeFromSelect,
  readCatalogueMeanings,
  readDefinitionText,
  readWithoutColumns,
  type TableMeanings,
  toKnownColumns,
} from '../../engine/authoring/index.js';
import {
  type ColumnDefinition,
  type Database,
  type Endpoint,
  formatProblem,
  type Problem,
  readCatalogue,
  readOutline,
} from '../../engine/index.js';

/** A definition without the parts that are the same for all definitions, or that the database determines. */
export interface CompactDefinition {
  readonly name: string;
  readonly params?: Readonly<Record<string, object>>;
  readonly pagination?: object;
  readonly sql: string;
}

const FOLDER = new URL('../../../test/schemas/definitions/', import.meta.url);

export function readCompact(schema: string): readonly CompactDefinition[] {
  return load(readFileSync(new URL(`${schema}.yaml`, FOLDER), 'utf8')) as CompactDefinition[];
}

/** Derives the parts of definitions from a database, as `endpoint columns --update` and `endpoint new --sql` do. */
export class DatabaseAuthor {
  readonly #database: Database;
  readonly #tables: TableMeanings;

  private constructor(database: Database, tables: TableMeanings) {
    this.#database = database;
    this.#tables = tables;
  }

  static async of(database: Database): Promise<DatabaseAuthor> {
    return new DatabaseAuthor(database, await readCatalogueMeanings(await readCatalogue(database), database));
  }

  /** Returns the columns of a definition without columns. */
  async columnsOf({ query }: Endpoint): Promise<readonly ColumnDefinition[]> {
    const sql = query.texts[0]?.sql ?? '';
    const described = await this.#describe(sql, query.tables, query.problem);
    return compareColumns([], described, readOutline(sql, toKnownColumns(this.#tables)).outputs, this.#tables).wanted;
  }

  /** Proposes a definition for a SELECT without parameters. */
  propose({ name, sql }: CompactDefinition): Promise<ProposedDefinition> {
    return proposeFromSelect(
      { file: `${name}.sql`, text: sql },
      {
        tables: this.#tables,
        taken: { names: new Set(), routes: [] },
        choices: { named: new Map(), kept: new Set() },
        prefix: '/v1',
        privateData: { isPrivateTable: () => false, columns: {} },
        describe: (text, { tables, problem }) => this.#describe(maskClock(text), tables, problem),
      },
    );
  }

  #describe(sql: string, read: ReadonlySet<string>, problem: (message: string, reason: string) => Problem) {
    const limits = { timeoutMs: 600_000 };
    return describeQuery(this.#database, sql, { read, tables: this.#tables, limits, problem });
  }
}

/** Reads a definition without its columns. */
export async function draftOf(compact: CompactDefinition): Promise<Endpoint> {
  const { read } = await readWithoutColumns(`${compact.name}.json`, textOf(compact, []));
  if ('problems' in read) throw new Error(read.problems.map(formatProblem).join('\n'));
  return read.endpoint;
}

/** Returns the text of the file of a definition, which is JSON. */
export function textOf(
  { name, params = {}, sql, pagination }: CompactDefinition,
  columns: readonly ColumnDefinition[],
): string {
  const described = Object.entries(params).map(([key, value]) => [key, { in: 'query', description: key, ...value }]);
  return JSON.stringify({
    ...{ name, path: `/v1/${name}/`, summary: name, params: Object.fromEntries(described) },
    ...(pagination && { pagination }),
    ...{ columns, sql, limits: { timeout: '10m' } },
  });
}

export function endpointOf(compact: CompactDefinition, columns: readonly ColumnDefinition[]): Promise<Endpoint> {
  return endpointOfText(compact.name, textOf(compact, columns));
}

export async function endpointOfText(name: string, text: string): Promise<Endpoint> {
  const read = await readDefinitionText(`${name}.json`, text);
  if ('problems' in read) throw new Error(read.problems.map(formatProblem).join('\n'));
  return read.endpoint;
}

/** Returns the form of the cells of a column. Databases name the types of equal cells differently. */
export function formOf({ data_type: type, scale }: ColumnDefinition): string {
  if (type === 'DECIMAL' && (scale ?? 0) > 0) return `${scale} digits`;
  return Object.entries(FORMS).find(([, types]) => types.includes(type))?.[0] ?? type;
}

const FORMS: Readonly<Record<string, readonly string[]>> = {
  integer: ['TINYINT', 'SMALLINT', 'MEDIUMINT', 'INT', 'BIGINT', 'UNSIGNED BIGINT', 'YEAR', 'BIT', 'DECIMAL'],
  text: ['CHAR', 'VARCHAR', 'TINYTEXT', 'TEXT', 'MEDIUMTEXT', 'LONGTEXT', 'ENUM', 'SET'],
  bytes: ['BINARY', 'VARBINARY', 'TINYBLOB', 'BLOB', 'MEDIUMBLOB', 'LONGBLOB'],
  number: ['DOUBLE', 'FLOAT'],
  time: ['DATETIME', 'TIMESTAMP'],
};
