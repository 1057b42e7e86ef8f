import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { checkShape, describeValue, formatProblem, isMapping, parseDocument } from '../../engine/index.js';
import { API_FILE, type ApiFolder } from './api-folder.js';

/** Reads `api.yaml` in a folder. Throws an Error with every problem of the file. */
export async function readApiFolder(folder: string): Promise<ApiFolder> {
  const file = join(folder, API_FILE);
  const document = parseDocument(file, await readFile(file));
  if (!('value' in document)) throw new Error(formatProblem(document));
  const { value } = document;
  if (!isMapping(value)) {
    throw new Error(formatProblem(document.problem([], 'expected a mapping', { got: describeValue(value) })));
  }
  const { problems } = checkShape({ ...document, value }, 'api.schema.json');
  if (problems.length > 0) {
    throw new Error(`Wrong ${API_FILE}:\n${problems.map((one) => `  ${formatProblem(one)}`).join('\n')}`);
  }
  const { title, description = `The API ${title}.` } = value as { title: string; description?: string };
  return { folder, title, description };
}

/** Reads the variables of the file `.env` in a folder; none if there is no such file. */
export async function readEnvironmentFile(folder: string): Promise<Readonly<Record<string, string | undefined>>> {
  const text = await readFile(join(folder, '.env'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return parseEnv(text);
}
