import { defineOrganizations, organizationSql } from '../warehouse/derived/organizations.js';
import type { Tables } from '../warehouse/store/store.js';
import { repoNames } from '../warehouse/tables/repo-names.js';
import { userNames } from '../warehouse/tables/user-names.js';
import type { Demo } from './generate-demo.js';

/**
 * Puts the demo's profiles where the platform's own interface would have put them, for accounts and repositories that
 * the imported events named. Both files must lie where the writing connection may read.
 */
export async function loadProfiles(
  tables: Tables,
  { peopleFile, repositoriesFile }: Pick<Demo, 'peopleFile' | 'repositoriesFile'>,
): Promise<void> {
  const { staging } = tables;
  await defineOrganizations(staging);
  await staging.run(`CREATE OR REPLACE TEMP TABLE told_people AS ${PEOPLE}`, [peopleFile]);
  await tables.loadRows('github_users', 'id', 'SELECT id FROM told_people');
  await staging.run(UPDATE_USERS);
  await tables.writeBack('github_users');
  await tables.recompute(userNames, 'SELECT id FROM told_people');
  await staging.run(`CREATE OR REPLACE TEMP TABLE told_profiles AS ${REPOSITORIES}`, [repositoriesFile]);
  await tables.loadRows('github_repos', 'repo_id', 'SELECT repo_id FROM told_profiles');
  await staging.run(UPDATE_REPOSITORIES);
  await tables.writeBack('github_repos');
  await tables.recompute(repoNames, 'SELECT repo_id FROM told_profiles');
  await staging.run('DROP TABLE told_people; DROP TABLE told_profiles');
}

const PEOPLE = `
  SELECT * FROM read_json($1, maximum_object_size = 65536, columns = {
    id: 'BIGINT', type: 'VARCHAR', name: 'VARCHAR', company: 'VARCHAR', location: 'VARCHAR', country_code: 'VARCHAR'
  })`;

const UPDATE_USERS = `
  UPDATE github_users
  SET
    type = told.type,
    name = told.name,
    organization = COALESCE(told.company, ''),
    organization_formatted = ${organizationSql('told.company')},
    address = COALESCE(told.location, ''),
    country_code = COALESCE(told.country_code, 'N/A')
  FROM told_people told
  WHERE github_users.id = told.id`;

const REPOSITORIES = `
  SELECT * FROM read_json($1, maximum_object_size = 65536, columns = {
    repo_id: 'BIGINT', description: 'VARCHAR', primary_language: 'VARCHAR', license: 'VARCHAR', size: 'BIGINT',
    stars: 'INTEGER', forks: 'INTEGER', is_deleted: 'BOOLEAN', created_at: 'TIMESTAMP'
  })`;

const UPDATE_REPOSITORIES = `
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
  FROM told_profiles told
  WHERE github_repos.repo_id = told.repo_id`;
