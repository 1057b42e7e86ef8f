import type { ClusteredTable } from '../schema/clustering.js';
import type { ComputedTable, MergedTable, RecomputedTable } from './derived-table.js';
import { eventCoverage } from './event-coverage.js';
import { repoDailyEngagements } from './repo-daily-engagements.js';
import { repoDailyNewcomers } from './repo-daily-newcomers.js';
import { repoForks } from './repo-forks.js';
import { repoIssueCreators } from './repo-issue-creators.js';
import { repoIssues } from './repo-issues.js';
import { repoNames } from './repo-names.js';
import { repoParticipants } from './repo-participants.js';
import { repoPullRequestCreators } from './repo-pull-request-creators.js';
import { repoPullRequests } from './repo-pull-requests.js';
import { repoStars } from './repo-stars.js';
import { repoTotals } from './repo-totals.js';
import { userNames } from './user-names.js';

/** In the order of computing: merged from events, then computed from those. */
export const MERGED_TABLES: readonly MergedTable[] = [
  repoIssues,
  repoPullRequests,
  repoStars,
  repoForks,
  repoDailyEngagements,
  repoParticipants,
  eventCoverage,
];

export const RECOMPUTED_TABLES: readonly RecomputedTable[] = [
  repoIssueCreators,
  repoPullRequestCreators,
  repoDailyNewcomers,
  repoTotals,
];

/** Computed from repositories and accounts when their names or numbers change. */
export const NAME_TABLES: readonly ComputedTable[] = [repoNames, userNames];

/** Tables that operations read by the first columns of their key. Nothing reads engagements and participants so. */
export const CLUSTERED_TABLES: readonly ClusteredTable[] = [
  ...[repoIssues, repoPullRequests, repoStars].map(({ name, keys }) => ({ name, order: keys })),
  ...RECOMPUTED_TABLES.map(({ name, columns }) => ({ name, order: columns.slice(0, 3) })),
  { name: repoNames.name, order: ['tier', 'name'] },
  { name: userNames.name, order: ['is_organization', 'tier', 'name'] },
  { name: 'github_users', order: ['id'] },
];
