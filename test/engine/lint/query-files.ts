import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { lintEndpoint } from '../../../engine/authoring/index.js';
import { IN_MEMORY } from '../../../engine/databases/duckdb/connection/options.js';
import { type EmbeddedDatabase, openEmbedded } from '../../../engine/databases/duckdb/embedded.js';
import { formatProblem, loadEndpoints, readCatalogue, tableFactsOf } from '../../../engine/index.js';
import { inFolder } from '../fixtures.js';

const FOLDER = fileURLToPath(new URL('../../../../test/engine/lint/queries', import.meta.url));

/** A query of a file, and the rules in the comment before it. */
export interface WrittenQuery {
  readonly sql: string;
  readonly rules: readonly string[];
}

/** Reads a file of queries. Each query ends with a semicolon at the end of a line. */
export async function readQueries(file: string): Promise<WrittenQuery[]> {
  const texts = (await readFile(join(FOLDER, file), 'utf8')).split(/;\n/).map((text) => text.trim());
  return texts.filter(Boolean).map((text) => {
    const [, rules = '', sql = ''] = /^(?:-- (.*)\n)?([\s\S]*)$/.exec(text) ?? [];
    return { sql, rules: rules === '' ? [] : rules.split(', ') };
  });
}

/** A database in memory with the tables of all schemas. */
export async function openSchemas(schemas: readonly string[]): Promise<EmbeddedDatabase> {
  const database = await openEmbedded({ file: IN_MEMORY, memoryLimit: '256MB', threads: 1, readers: 1 });
  for (const statement of await readSchemas(schemas)) {
    await database.maintain(async (connection) => {
      await connection.run(statement);
    });
  }
  return database;
}

/** Returns the statements that create the tables of these schemas, on every database. */
export async function readSchemas(schemas: readonly string[]): Promise<string[]> {
  const texts = await Promise.all(schemas.map((schema) => readFile(join(FOLDER, `${schema}.schema.sql`), 'utf8')));
  return texts.flatMap((text) => text.split(/;\n/)).filter((statement) => statement.trim() !== '');
}

/** Returns these queries with the rules that report them. The database must accept every query. */
export async function withRules(database: EmbeddedDatabase, queries: readonly WrittenQuery[]): Promise<WrittenQuery[]> {
  const facts = tableFactsOf(await readCatalogue(database));
  const files: Record<string, string> = {};
  for (const [index, { sql }] of queries.entries()) files[`${nameOf(index)}.yaml`] = await define(database, sql, index);
  return inFolder(files, async (folder) => {
    const { endpoints, problems } = await loadEndpoints(folder);
    expect(problems.map(formatProblem)).to.deep.equal([]);
    const found = new Map(
      endpoints.map((one) => [one.definition.name, lintEndpoint(one, facts).map(({ rule }) => rule)]),
    );
    return queries.map(({ sql }, index) => ({ sql, rules: [...new Set(found.get(nameOf(index)))] }));
  });
}

const nameOf = (index: number) => `query-${index}`;

async function define(database: EmbeddedDatabase, sql: string, index: number): Promise<string> {
  const { columns } = await database.query(database.prepare(sql), [], { maxRows: 1, timeoutMs: 60_000 });
  const list = columns.map(
    ({ name }) => `  - { col: ${name}, data_type: VARCHAR, nullable: true, description: A column }`,
  );
  const text = sql.split('\n').map((line) => `  ${line}`);
  return [
    `name: ${nameOf(index)}`,
    'summary: A query',
    'columns:',
    ...list,
    'data_as_of: SELECT NULL',
    'sql: |',
    ...text,
    '',
  ].join('\n');
}
