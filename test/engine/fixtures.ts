import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Endpoint, formatProblem, loadEndpointFiles, loadEndpoints } from '../../engine/index.js';

/** The folder with valid definitions for a small example database, a bakery. */
export const BAKERY = fileURLToPath(new URL('../../../test/engine/bakery', import.meta.url));

/** Creates a folder with these files, calls `use`, and then removes the folder. */
export async function inFolder<Result>(
  files: Readonly<Record<string, string | Uint8Array>>,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'definitions-'));
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the formatted problems of definition files, with file names instead of paths. */
export async function problemsIn(files: Readonly<Record<string, string | Uint8Array>>): Promise<string[]> {
  return inFolder(files, async (folder) => {
    const { problems } = await loadEndpoints(folder);
    return problems.map((problem) => formatProblem(problem).replaceAll(`${folder}/`, ''));
  });
}

/** Loads the endpoint of a valid definition. */
export async function endpointOf(yaml: string): Promise<Endpoint> {
  return inFolder({ 'one.yaml': yaml }, async (folder) => {
    const { endpoints, problems } = await loadEndpointFiles([join(folder, 'one.yaml')]);
    const [endpoint] = endpoints;
    if (endpoint === undefined) throw new Error(problems.map(formatProblem).join('\n'));
    return endpoint;
  });
}

/** Creates a definition with this SQL. The SQL must return one column, `id`. */
export function definitionOf(sql: string, params = '', more = ''): string {
  const lines = sql.split('\n').map((line) => `  ${line}`);
  const paramLines = params === '' ? [] : ['params:', ...params.split('\n').map((line) => `  ${line}`)];
  return [
    'name: toy',
    'summary: A toy',
    ...paramLines,
    'columns:',
    '  - { col: id, data_type: BIGINT, nullable: true, description: Number }',
    ...(more === '' ? [] : [more]),
    'sql: |',
    ...lines,
    '',
  ].join('\n');
}

/** Reads a JSON Schema of this project. */
export function readSchema(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(new URL(`../../../schemas/${name}`, import.meta.url), 'utf8'));
}
