import type { Store } from '../../warehouse/store/store.js';
import { NAME_TABLES } from '../../warehouse/tables/tables.js';

/** Rows as SQL text, such as `(1, …)`, with the columns of `ACCOUNT_COLUMNS` and `REPOSITORY_COLUMNS`. */
export interface NameRows {
  readonly accounts?: readonly string[];
  readonly repositories?: readonly string[];
}

const ACCOUNT_COLUMNS =
  'id, login, type, name, organization, address, followers, followings, public_repos, is_deleted, created_at, refreshed_at';
const REPOSITORY_COLUMNS =
  'repo_id, repo_name, owner_id, owner_login, owner_is_org, description, primary_language, license, stars, forks, is_deleted, created_at, refreshed_at';

/** Stores accounts and repositories, and their names for the search. */
export async function storeNames(store: Store, { accounts = [], repositories = [] }: NameRows): Promise<void> {
  await store.write(async (tables) => {
    if (accounts.length > 0) {
      await tables.append('github_users', `SELECT * FROM (VALUES ${accounts.join(', ')}) a(${ACCOUNT_COLUMNS})`);
    }
    if (repositories.length > 0) {
      const rows = `(VALUES ${repositories.join(', ')}) r(${REPOSITORY_COLUMNS})`;
      await tables.append('github_repos', `SELECT *, lower(repo_name) AS repo_name_lower FROM ${rows}`);
    }
  });
  await store.write(async (tables) => {
    for (const { name, columns, select } of NAME_TABLES) {
      await tables.run(`DELETE FROM ${name}`);
      await tables.insert(name, columns, select('TRUE'));
    }
  });
}
