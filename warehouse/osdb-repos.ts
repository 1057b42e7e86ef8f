import { readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import { CollectionsError } from './collections.js';
import { readLocated, schemaProblem } from './located-list.js';
import type { Store } from './store/store.js';

/** Replaces all database repositories with those of a YAML or JSON file. Throws `CollectionsError`. */
export async function importOsdbRepos(store: Store, file: string): Promise<number> {
  const located = readLocated(file, await readFile(file, 'utf8'));
  if (!('value' in located)) throw new CollectionsError([located]);
  const repos = located.value;
  if (!isOsdbRepos(repos)) {
    const errors = isOsdbRepos.errors ?? [];
    throw new CollectionsError(errors.map((error) => schemaProblem(located, error)));
  }
  await store.write(async (tables) => {
    await tables.run('DELETE FROM osdb_repos');
    await tables.insertRows(
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

const isOsdbRepos = new Ajv({ allErrors: true, verbose: true }).compile<readonly OsdbRepo[]>({
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
