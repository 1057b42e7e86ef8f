import { writeFile } from 'node:fs/promises';
import { dump } from 'js-yaml';
import { OwnTableError } from './own-table-error.js';
import { documentPath, type TableDocument } from './table-document.js';

/**
 * Writes the documentation file of an own table, for the author to complete, and returns its path. Never overwrites a file. Throws
 * `OwnTableError`.
 */
export async function writeTableDocument(file: string, describe: () => Promise<TableDocument>): Promise<string> {
  const path = documentPath(file);
  const { columns } = await describe();
  const described = Object.entries(columns).map(([name, { type, nullable }]) => {
    const facts = { type, description: '' };
    return [name, nullable ? { ...facts, nullable } : facts] as const;
  });
  const document = { description: '', columns: Object.fromEntries(described) };
  await writeFile(path, `${HEAD}${dump(document)}${TAIL}`, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new OwnTableError(`${path} exists. Change it, or remove it first.`);
  });
  return path;
}

const HEAD =
  '# The documentation of an own table (docs/own-tables.md). The types are those of the values: check them.\n' +
  '# Write what a row is, where the data come from, and what each column means.\n';
const TAIL = '# key: [columns that identify a row]\n';
