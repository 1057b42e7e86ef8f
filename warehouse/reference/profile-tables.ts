import { SINCE_FEED } from './repeated-texts.js';
import { describeTable } from './table-reference-entry.js';

/** Only other programs fill these columns. */
const FOREIGN = 'Only other programs fill it.';

/** The current state of repositories and accounts. */
export const PROFILE_TABLES = {
  github_repos: describeTable(
    {
      description:
        'The newest known state of repositories: from events, and from GitHub if `data enrich repos` ran. Several rows can have one name after renames: the row that is not deleted and has the newest `last_event_at` has the name now.',
      grain: 'repository',
      events: ['*'],
      since: `${SINCE_FEED} A row has the present state, not the history.`,
      freshness: 'Current after each batch of `data import`; `data enrich repos` adds what events do not contain.',
      example: `
        SELECT repo_name, stars, primary_language
        FROM github_repos
        WHERE is_deleted = 0 AND primary_language <> ''
        ORDER BY stars DESC, repo_id LIMIT 10`,
    },
    {
      repo_id: ['BIGINT', 'Id of the repository. Negative: derived from the name, because no event has the real id.'],
      repo_name: ['VARCHAR(140)', 'Present name as owner/name, for example `amber-ibex/reed-stack`.'],
      owner_id: ['BIGINT', 'Id of the owner; 0 if unknown.'],
      owner_login: ['VARCHAR(40)', 'Login of the owner.'],
      owner_is_org: ['TINYINT', '1 if the owner is an organization.'],
      description: ['VARCHAR(512)', 'Description; empty if unknown. People wrote it: it can contain any text.'],
      primary_language: ['VARCHAR(32)', 'Language with the most code, for example `TypeScript`; empty if unknown.'],
      license: ['VARCHAR(32)', 'SPDX identifier of the license, for example `MIT`; empty if unknown.'],
      size: ['BIGINT', 'Size in kilobytes; 0 if unknown.', 'kilobytes'],
      stars: [
        'INT',
        'Stars: the largest reported number, and at least the number of people who starred it in the events. It never decreases.',
        'stars',
      ],
      forks: ['INT', 'Forks, like `stars`.', 'forks'],
      parent_repo_id: [
        'BIGINT',
        'Id of the repository that this one is a fork of; NULL for other repositories, and if unknown.',
      ],
      is_fork: ['TINYINT', '1 if the repository is a fork.'],
      is_archived: ['TINYINT', '1 if the repository is archived.'],
      is_deleted: ['TINYINT', '1 if the repository was deleted on GitHub.'],
      latest_released_at: ['DATETIME', 'Time of the newest release; NULL if unknown.'],
      pushed_at: ['DATETIME', 'Time of the newest push; NULL if unknown.'],
      created_at: ['DATETIME', 'Time of the creation; NULL if unknown.'],
      updated_at: [
        'DATETIME',
        'The same time as `last_event_at`; tables of other programs can contain the newest change on GitHub.',
      ],
      last_event_at: ['DATETIME', 'Time of the newest event of the repository.'],
      refreshed_at: ['DATETIME', 'Time of the newest known description, language, license and size; NULL if unknown.'],
      repo_name_lower: [
        'VARCHAR(140)',
        '`repo_name` in lower case. Compare names with this column: on a server it has an index.',
      ],
    },
  ),
  repo_name_uses: describeTable(
    {
      description:
        'Present and former names of repositories. Of several with a name, the newest `last_used_at` had it last.',
      grain: 'name and repository',
      events: ['*'],
      since: SINCE_FEED,
      freshness: 'Current after each batch of `data import`.',
      example: `
        SELECT u.name, r.repo_name, u.last_used_at
        FROM repo_name_uses u
        JOIN github_repos r ON r.repo_id = u.repo_id
        ORDER BY u.last_used_at DESC, u.name LIMIT 10`,
    },
    {
      name: ['VARCHAR(140)', 'Name as owner/name, in lower case.'],
      repo_id: ['BIGINT', 'Id of the repository; joins `github_repos.repo_id`.'],
      first_used_at: ['DATETIME', 'Time of the first event with this name.'],
      last_used_at: ['DATETIME', 'Time of the newest event with this name.'],
    },
  ),
  github_users: describeTable(
    {
      description:
        'The accounts of people, organizations and bots. Profiles are from events of 2012-03 to 2014-12, and from GitHub if `data enrich users` ran.',
      grain: 'account',
      events: ['*'],
      since: `${SINCE_FEED} A row has the present state, not the history.`,
      freshness: 'Current after each batch of `data import`; `data enrich users` adds what events do not contain.',
      example: `
        SELECT country_code, COUNT(*) AS people
        FROM github_users
        WHERE type = 'User' AND is_bot = 0 AND is_deleted = 0
        GROUP BY country_code
        ORDER BY people DESC, country_code LIMIT 10`,
    },
    {
      id: ['BIGINT', 'Id of the account. Negative: derived from the login.'],
      login: ['VARCHAR(40)', 'Present login.'],
      type: ['VARCHAR(12)', '`User`, `Organization` or `Bot`; `N/A` if unknown.'],
      is_bot: [
        'TINYINT',
        '1 for accounts of the type `Bot`, app accounts and logins that match the bot rule. Exclude them when you count people.',
      ],
      name: ['VARCHAR(255)', 'Name in the profile; empty if unknown.'],
      organization: ['VARCHAR(255)', 'Company in the profile, as the person wrote it; empty if unknown.'],
      organization_formatted: [
        'VARCHAR(255)',
        'Normalized name of the organization, in lower case; empty if unknown. Group by this column.',
      ],
      address: ['VARCHAR(255)', 'Location in the profile, as the person wrote it; empty if unknown.'],
      country_code: [
        'CHAR(3)',
        'Country of the location: ISO 3166-1 with two letters, for example `DE`; `N/A` if unknown.',
      ],
      region_code: ['CHAR(3)', 'Part of the world; `N/A` if unknown. Only other programs fill it.'],
      state: ['VARCHAR(255)', `State or province. ${FOREIGN}`],
      city: ['VARCHAR(255)', `City. ${FOREIGN}`],
      longitude: ['DECIMAL(11, 8)', `Degrees east. ${FOREIGN}`, 'degrees'],
      latitude: ['DECIMAL(10, 8)', `Degrees north. ${FOREIGN}`, 'degrees'],
      public_repos: ['INT', 'Number of public repositories; 0 if unknown. From GitHub only.', 'repositories'],
      followers: ['INT', 'Number of followers; 0 if unknown. From GitHub only.', 'accounts'],
      followings: ['INT', 'Number of accounts that it follows; 0 if unknown. From GitHub only.', 'accounts'],
      created_at: ['DATETIME', 'Time of the creation of the account; NULL if unknown. From GitHub only.'],
      updated_at: ['DATETIME', 'Time of the newest event of the account.'],
      is_deleted: ['TINYINT', '1 if the account was deleted on GitHub.'],
      refreshed_at: ['DATETIME', 'Time of the newest known profile; NULL if unknown.'],
    },
  ),
};
