import type { DuckDBConnection } from '@duckdb/node-api';
import type { Demo } from './generate-demo.js';

/**
 * Puts the demo's profiles where the platform's own interface would have put them, for accounts and repositories that
 * the imported events named. Both files must lie where the writing connection may read.
 */
export async function loadProfiles(
  connection: DuckDBConnection,
  { peopleFile, repositoriesFile }: Pick<Demo, 'peopleFile' | 'repositoriesFile'>,
): Promise<void> {
  await connection.run(PEOPLE, [peopleFile]);
  await connection.run(REPOSITORIES, [repositoriesFile]);
}

const PEOPLE = `
  UPDATE github_users
  SET
    type = told.type,
    name = told.name,
    organization = COALESCE(told.company, ''),
    organization_formatted = lower(trim(ltrim(trim(COALESCE(told.company, '')), '@'))),
    address = COALESCE(told.location, ''),
    country_code = COALESCE(told.country_code, 'N/A')
  FROM read_json($1, maximum_object_size = 65536, columns = {
    id: 'BIGINT', type: 'VARCHAR', name: 'VARCHAR', company: 'VARCHAR', location: 'VARCHAR', country_code: 'VARCHAR'
  }) told
  WHERE github_users.id = told.id`;

const REPOSITORIES = `
  UPDATE github_repos
  SET
    description = told.description,
    primary_language = told.primary_language,
    license = COALESCE(told.license, ''),
    size = told.size,
    stars = told.stars,
    forks = told.forks,
    is_deleted = told.is_deleted::TINYINT,
    created_at = told.created_at
  FROM read_json($1, maximum_object_size = 65536, columns = {
    repo_id: 'BIGINT', description: 'VARCHAR', primary_language: 'VARCHAR', license: 'VARCHAR', size: 'BIGINT',
    stars: 'INTEGER', forks: 'INTEGER', is_deleted: 'BOOLEAN', created_at: 'TIMESTAMP'
  }) told
  WHERE github_repos.repo_id = told.repo_id`;
