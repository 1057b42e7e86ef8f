import { organizationSql } from '../../warehouse/derived/organizations.js';
import { REPO_SOURCE_COLUMNS } from '../../warehouse/import/facts/merge-repositories.js';
import { USER_SOURCE_COLUMNS } from '../../warehouse/import/facts/merge-users.js';
import { isBotSql } from '../../warehouse/rules/bots.js';
import type { ComputedTable } from '../../warehouse/schema/derived-table.js';
import type { PlainValue } from '../../warehouse/store/store.js';
import { repoNames, userNames } from '../../warehouse/tables/tables.js';

/** The type of a value, which determines its format in a file and its validation. */
export type ProfileType = 'text' | 'count' | 'whole' | 'flag' | 'time' | 'country' | 'account-type';

/**
 * A value of a profile and the table columns that store it. `assign` returns an SQL expression for each column. In this expression, `value`
 * is the SQL of the new value, and `$1` is the time of the refresh.
 */
interface ProfileColumn {
  readonly type: ProfileType;
  assign(value: string): Readonly<Record<string, string>>;
}

/** The values of one record by name. Null and missing values do not change the stored values. */
export type Profile = Readonly<Record<string, PlainValue>>;

/** A table that stores profiles. */
export interface ProfileTarget {
  readonly table: 'github_users' | 'github_repos';
  readonly key: 'id' | 'repo_id';
  readonly names: ComputedTable;
  readonly columns: Readonly<Record<string, ProfileColumn>>;
  /**
   * The columns with the names of a record. The name columns are only updated from GitHub's API, because the names in a file may be older
   * than those in the events.
   */
  readonly nameColumns: Readonly<Record<string, ProfileColumn>>;
  /** Columns that are computed from other columns, with their SQL. */
  readonly computed?: Readonly<Record<string, string>>;
  /** The table from which imports compute some rows of the target again, with its columns. */
  readonly sources: { readonly table: string; readonly columns: readonly string[] };
}

const text = (column: string, length = 255): ProfileColumn => ({
  type: 'text',
  assign: (value) => ({ [column]: `left(${value}, ${length})` }),
});
const columnOfType =
  (type: ProfileType) =>
  (column: string): ProfileColumn => ({ type, assign: (value) => ({ [column]: value }) });
const count = columnOfType('count');
/** For BIGINT columns; `count` is for INT columns. */
const whole = columnOfType('whole');
const flag = columnOfType('flag');
const time = columnOfType('time');

export const USERS: ProfileTarget = {
  table: 'github_users',
  key: 'id',
  names: userNames,
  sources: { table: 'user_sources', columns: USER_SOURCE_COLUMNS },
  computed: { is_bot: `CASE WHEN ${isBotSql('login', 'type')} THEN 1 ELSE 0 END` },
  columns: {
    type: columnOfType('account-type')('type'),
    name: text('name'),
    email: text('email'),
    company: {
      type: 'text',
      assign: (value) => ({
        organization: `left(${value}, 255)`,
        organization_formatted: `CASE WHEN ${value} IS NOT NULL THEN ${organizationSql(value)} END`,
      }),
    },
    location: text('address'),
    country_code: columnOfType('country')('country_code'),
    public_repos: count('public_repos'),
    followers: count('followers'),
    following: count('followings'),
    created_at: time('created_at'),
    is_deleted: flag('is_deleted'),
  },
  nameColumns: {
    login: {
      type: 'text',
      assign: (value) => ({
        login: `left(${value}, 40)`,
        // If several accounts have the same login, it belongs to the account with the newest `updated_at`.
        updated_at: `CASE WHEN ${value} IS NOT NULL THEN GREATEST($1::TIMESTAMP, updated_at) END`,
      }),
    },
  },
};

export const REPOSITORIES: ProfileTarget = {
  table: 'github_repos',
  key: 'repo_id',
  names: repoNames,
  sources: { table: 'repo_sources', columns: REPO_SOURCE_COLUMNS },
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
      assign: (value) => ({
        repo_name: value,
        repo_name_lower: `lower(${value})`,
        owner_login: `split_part(${value}, '/', 1)`,
      }),
    },
    owner_id: whole('owner_id'),
    owner_is_org: flag('owner_is_org'),
  },
};
