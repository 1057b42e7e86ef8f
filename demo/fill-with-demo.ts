import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { storeCollections } from '../warehouse/collections.js';
import { defineOrganizations, organizationSql } from '../warehouse/derived/organizations.js';
import { updatePeople } from '../warehouse/derived/people.js';
import { refreshAsOf } from '../warehouse/derived/refresh-as-of.js';
import type { ImportOptions } from '../warehouse/import/import-options.js';
import { importSources } from '../warehouse/import/import-sources.js';
import type { ImportSummary } from '../warehouse/import/summary.js';
import type { Store, Tables } from '../warehouse/store/store.js';
import { repoNames, userNames } from '../warehouse/tables/tables.js';
import type { DemoOptions, DemoProgress } from './demo-plan.js';
import { type Demo, generateDemo } from './generate-demo.js';

type FillOptions = Pick<ImportOptions, 'stagingDirectory' | 'downloadDirectory' | 'onProgress' | 'signal'> &
  Pick<DemoOptions, 'now' | 'seed' | 'events' | 'repositories' | 'people'> & {
    readonly onGenerated?: (progress: DemoProgress) => void;
  };

/** Generates a demo that ends at `now` and imports its events, profiles and collections. */
export async function fillWithDemo(store: Store, options: FillOptions): Promise<ImportSummary> {
  const { onGenerated, onProgress, ...common } = options;
  const directory = join(options.stagingDirectory, 'demo');
  await mkdir(directory, { recursive: true });
  try {
    const demo = await generateDemo({
      ...common,
      directory,
      ...(onGenerated === undefined ? {} : { onProgress: onGenerated }),
    });
    const summary = await importSources(store, demo.files, {
      ...common,
      complete: true,
      ...(onProgress === undefined ? {} : { onProgress }),
    });
    // An aborted import does not throw, and keeps the files that it has already imported. A partial demo is not consistent, so this call
    // must fail.
    options.signal?.throwIfAborted();
    await store.write((tables) => loadProfiles(tables, demo));
    await store.optimize();
    await storeCollections(store, demo.collections);
    await refreshAsOf(store, options.now);
    return summary;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * Stores the profiles of the demo in the same way as an enrichment from GitHub, for the accounts and repositories of
 * the imported events. Both files must be in a folder that the writing connection may read.
 */
export async function loadProfiles(
  tables: Tables,
  { peopleFile, repositoriesFile }: Pick<Demo, 'peopleFile' | 'repositoriesFile'>,
): Promise<void> {
  const { staging } = tables;
  await defineOrganizations(staging);
  await staging.run(`CREATE OR REPLACE TEMP TABLE staged_people AS ${PEOPLE}`, [peopleFile]);
  await tables.loadRows('github_users', 'id', 'SELECT id FROM staged_people');
  await staging.run(UPDATE_USERS);
  await tables.writeBack('github_users');
  await tables.recompute(userNames, 'SELECT id FROM staged_people');
  await updatePeople(tables, 'SELECT id FROM staged_people');
  await staging.run(`CREATE OR REPLACE TEMP TABLE staged_profiles AS ${REPOSITORIES}`, [repositoriesFile]);
  await tables.loadRows('github_repos', 'repo_id', 'SELECT repo_id FROM staged_profiles');
  await staging.run(UPDATE_REPOSITORIES);
  await tables.writeBack('github_repos');
  await tables.recompute(repoNames, 'SELECT repo_id FROM staged_profiles');
  await staging.run('DROP TABLE staged_people; DROP TABLE staged_profiles');
}

const PEOPLE = `
  SELECT * FROM read_json($1, maximum_object_size = 65536, columns = {
    id: 'BIGINT', type: 'VARCHAR', name: 'VARCHAR', company: 'VARCHAR', location: 'VARCHAR', country_code: 'VARCHAR'
  })`;

const UPDATE_USERS = `
  UPDATE github_users
  SET
    type = staged.type,
    name = staged.name,
    organization = COALESCE(staged.company, ''),
    organization_formatted = ${organizationSql('staged.company')},
    address = COALESCE(staged.location, ''),
    country_code = COALESCE(staged.country_code, 'N/A')
  FROM staged_people staged
  WHERE github_users.id = staged.id`;

const REPOSITORIES = `
  SELECT * FROM read_json($1, maximum_object_size = 65536, columns = {
    repo_id: 'BIGINT', description: 'VARCHAR', primary_language: 'VARCHAR', license: 'VARCHAR', size: 'BIGINT',
    stars: 'INTEGER', forks: 'INTEGER', is_deleted: 'BOOLEAN', created_at: 'TIMESTAMP'
  })`;

const UPDATE_REPOSITORIES = `
  UPDATE github_repos
  SET
    description = staged.description,
    primary_language = staged.primary_language,
    license = COALESCE(staged.license, ''),
    size = staged.size,
    stars = staged.stars,
    forks = staged.forks,
    is_deleted = staged.is_deleted::TINYINT,
    created_at = staged.created_at,
    refreshed_at = last_event_at
  FROM staged_profiles staged
  WHERE github_repos.repo_id = staged.repo_id`;
