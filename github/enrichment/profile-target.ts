import { organizationSql } from '../../warehouse/derived/organizations.js';
import { SOURCE_COLUMNS } from '../../warehouse/import/repositories/merge-repositories.js';
import { isBotSql } from '../../warehouse/rules/bots.js';
import type { PlainValue } from '../../warehouse/store/store.js';
import type { ComputedTable } from '../../warehouse/tables/derived-table.js';
import { repoNames } from '../../warehouse/tables/repo-names.js';
import { userNames } from '../../warehouse/tables/user-names.js';

/** How a value is written in a file, and checked. */
export type ProfileType = 'text' | 'count' | 'whole' | 'flag' | 'time' | 'country' | 'account-type';

/** What may be told of a record, and which columns of its table that sets; `told` stands for the value in SQL, `$1` for when. */
interface ProfileColumn {
  readonly type: ProfileType;
  sets(told: string): Readonly<Record<string, string>>;
}

/** What is told of one record, by name of the column; what is null or left out changes nothing. */
export type ToldProfile = Readonly<Record<string, PlainValue>>;

/** A table that profiles are written to. */
export interface ProfileTarget {
  readonly table: 'github_users' | 'github_repos';
  readonly key: 'id' | 'repo_id';
  readonly names: ComputedTable;
  readonly columns: Readonly<Record<string, ProfileColumn>>;
  /** Names by which the platform knows a record: only it may change them, for files may be older than events. */
  readonly nameColumns: Readonly<Record<string, ProfileColumn>>;
  /** A table from which imports make some rows again, and which of the columns it has. */
  readonly sources?: { readonly table: string; readonly columns: readonly string[] };
}

const text = (column: string, length = 255): ProfileColumn => ({
  type: 'text',
  sets: (told) => ({ [column]: `left(${told}, ${length})` }),
});
const as =
  (type: ProfileType) =>
  (column: string): ProfileColumn => ({ type, sets: (told) => ({ [column]: told }) });
const count = as('count');
/** What a BIGINT of the tables takes, where a count is an INT. */
const whole = as('whole');
const flag = as('flag');
const time = as('time');

export const USERS: ProfileTarget = {
  table: 'github_users',
  key: 'id',
  names: userNames,
  columns: {
    type: as('account-type')('type'),
    name: text('name'),
    email: text('email'),
    company: {
      type: 'text',
      sets: (told) => ({
        organization: `left(${told}, 255)`,
        organization_formatted: `CASE WHEN ${told} IS NOT NULL THEN ${organizationSql(told)} END`,
      }),
    },
    location: text('address'),
    country_code: as('country')('country_code'),
    public_repos: count('public_repos'),
    followers: count('followers'),
    following: count('followings'),
    created_at: time('created_at'),
    is_deleted: flag('is_deleted'),
  },
  nameColumns: {
    login: {
      type: 'text',
      sets: (told) => ({
        login: `left(${told}, 40)`,
        is_bot: `CASE WHEN ${told} IS NULL THEN NULL WHEN ${isBotSql(told)} THEN 1 ELSE 0 END`,
        // The login that was told last is the one that stays.
        updated_at: `CASE WHEN ${told} IS NOT NULL THEN GREATEST($1::TIMESTAMP, github_users.updated_at) END`,
      }),
    },
  },
};

export const REPOSITORIES: ProfileTarget = {
  table: 'github_repos',
  key: 'repo_id',
  names: repoNames,
  sources: { table: 'repo_sources', columns: SOURCE_COLUMNS },
  columns: {
    description: text('description', 512),
    primary_language: text('primary_language', 32),
    license: text('license', 32),
    size: whole('size'),
    stars: count('stars'),
    forks: count('forks'),
    parent_repo_id: whole('parent_repo_id'),
    is_fork: flag('is_fork'),
    is_archived: flag('is_archived'),
    is_deleted: flag('is_deleted'),
    latest_released_at: time('latest_released_at'),
    pushed_at: time('pushed_at'),
    created_at: time('created_at'),
  },
  nameColumns: {
    repo_name: {
      type: 'text',
      sets: (told) => ({
        repo_name: told,
        repo_name_lower: `lower(${told})`,
        owner_login: `split_part(${told}, '/', 1)`,
      }),
    },
    owner_id: whole('owner_id'),
    owner_is_org: flag('owner_is_org'),
  },
};
