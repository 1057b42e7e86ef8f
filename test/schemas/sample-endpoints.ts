import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import {
  catalogueMeanings,
  compareColumns,
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
  readCatalogue,
  readOutline,
} from '../../engine/index.js';
import { describeQuery } from '../../cli/commands/endpoint/write/describe-query.js';

/** A definition without the parts that are the same for all definitions, or that the database determines. */
export interface CompactDefinition {
  readonly name: string;
  readonly params?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly sql: string;
  /** The values of the example, for parameters without a default. */
  readonly example?: Readonly<Record<string, unknown>>;
  readonly pagination?: object;
}

const FOLDER = new URL('../../../test/schemas/definitions/', import.meta.url);

export function readCompact(schema: string): readonly CompactDefinition[] {
  return load(readFileSync(new URL(`${schema}.yaml`, FOLDER), 'utf8')) as CompactDefinition[];
}

/** Completes definitions with the columns that a database describes for their SQL. */
export class ColumnInference {
  readonly #database: Database;
  readonly #tables: TableMeanings;

  private constructor(database: Database, tables: TableMeanings) {
    this.#database = database;
    this.#tables = tables;
  }

  static async of(database: Database): Promise<ColumnInference> {
    return new ColumnInference(database, catalogueMeanings(await readCatalogue(database)));
  }

  async columnsOf(compact: CompactDefinition): Promise<readonly ColumnDefinition[]> {
    const { read } = await readWithoutColumns(`${compact.name}.json`, textOf(compact, []));
    if ('problems' in read) throw new Error(read.problems.map(formatProblem).join('\n'));
    const { query } = read.endpoint;
    const sql = query.texts[0]?.sql ?? '';
    const limits = { timeoutMs: 60_000 };
    const tables = this.#tables;
    const described = await describeQuery(this.#database, sql, { read: query.tables, tables, limits, problem: query.problem });
    return compareColumns([], described, readOutline(sql, toKnownColumns(tables)).outputs, tables).wanted;
  }
}

/** Returns the text of the file of a definition. */
export function textOf(
  { name, params = {}, sql, example = {}, pagination }: CompactDefinition,
  columns: readonly ColumnDefinition[],
): string {
  const described = Object.entries(params).map(([key, value]) => [key, { in: 'query', description: key, ...value }]);
  return JSON.stringify({
    name,
    path: `/v1/${name}/`,
    summary: name,
    params: Object.fromEntries(described),
    ...(pagination && { pagination }),
    columns,
    sql,
    examples: [{ name: 'example', params: example }],
  });
}

export async function endpointOf(compact: CompactDefinition, columns: readonly ColumnDefinition[]): Promise<Endpoint> {
  const read = await readDefinitionText(`${compact.name}.json`, textOf(compact, columns));
  if ('problems' in read) throw new Error(read.problems.map(formatProblem).join('\n'));
  return read.endpoint;
}
