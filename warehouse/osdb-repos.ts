import { readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import type { EmbeddedDatabase } from '../databases/duckdb/embedded.js';
import { CollectionsError } from './collections.js';
import { insertRows } from './insert-rows.js';
import { readLocated } from './located-list.js';

/** Puts the database repositories of a YAML or JSON file in the place of those there. Throws `CollectionsError`. */
export async function importOsdbRepos(database: EmbeddedDatabase, file: string): Promise<number> {
  const located = readLocated(file, await readFile(file, 'utf8'));
  if (!('value' in located)) throw new CollectionsError([located]);
  const repos = located.value;
  if (!isOsdbRepos(repos)) {
    const errors = isOsdbRepos.errors ?? [];
    throw new CollectionsError(
      errors.map(({ instancePath, message = '' }) => located.problem(instancePath, message.replace('must', 'it must'))),
    );
  }
  await database.write(async (connection) => {
    await connection.run('DELETE FROM osdb_repos');
    await insertRows(
      connection,
      'osdb_repos',
      repos.map((repo) => [repo.repo_id, repo.repo_name, repo.group_name]),
    );
  });
  return repos.length;
}

interface OsdbRepo {
  readonly group_name: string;
  readonly repo_id: number;
  readonly repo_name: string;
}

const isOsdbRepos = new Ajv({ allErrors: true }).compile<readonly OsdbRepo[]>({
  type: 'array',
  items: {
    type: 'object',
    required: ['group_name', 'repo_id', 'repo_name'],
    properties: {
      group_name: { type: 'string', minLength: 1, maxLength: 255 },
      repo_id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      repo_name: { type: 'string', pattern: '^[^/\\s]+/[^/\\s]+$', maxLength: 140 },
    },
  },
});
