import type { ClusteredTable } from '../schema/clustering.js';
import type { ComputedTable, MergedTable, RecomputedTable } from '../schema/derived-table.js';
import { eventCoverage } from './event-coverage.js';
import { repoNames } from './names/repo-names.js';
import { userNames } from './names/user-names.js';
import { repoDailyEngagements } from './repo-daily-engagements.js';
import { repoDailyNewcomers } from './repo-daily-newcomers.js';
import { repoForks } from './repo-forks.js';
import { repoIssueCreators } from './repo-issue-creators.js';
import { repoIssues } from './repo-issues.js';
import { repoParticipants } from './repo-participants.js';
import { repoPeople } from './repo-people.js';
import { repoPullRequestCreators } from './repo-pull-request-creators.js';
import { repoPullRequests } from './repo-pull-requests.js';
import { repoStars } from './repo-stars.js';
import { repoTotals } from './repo-totals.js';

/** The tables that are merged from events, in the order in which they are computed. */
export const MERGED_TABLES: readonly MergedTable[] = [
  repoIssues,
  repoPullRequests,
  repoStars,
  repoForks,
  repoDailyEngagements,
  repoParticipants,
  repoPeople,
  eventCoverage,
];

/** The tables that are computed from the merged tables, after the merged tables. */
export const RECOMPUTED_TABLES: readonly RecomputedTable[] = [
  repoIssueCreators,
  repoPullRequestCreators,
  repoDailyNewcomers,
  repoTotals,
];

/** The tables that are computed from repositories and accounts when their names, stars or followers change. */
export const NAME_TABLES: readonly ComputedTable[] = [repoNames, userNames];

/**
 * The tables that operations read by the first columns of their key. The tables of engagements and participants are
 * omitted, because operations never read them this way.
 */
export const CLUSTERED_TABLES: readonly ClusteredTable[] = [
  ...[repoIssues, repoPullRequests, repoStars, repoPeople].map(({ name, keys }) => ({ name, order: keys })),
  ...RECOMPUTED_TABLES.map(({ name, columns }) => ({ name, order: columns.slice(0, 3) })),
  { name: repoNames.name, order: ['tier', 'name'] },
  { name: userNames.name, order: ['is_organization', 'tier', 'name'] },
  { name: 'github_users', order: ['id'] },
  { name: 'repo_name_uses', order: ['name'] },
  { name: 'user_name_uses', order: ['name'] },
];
