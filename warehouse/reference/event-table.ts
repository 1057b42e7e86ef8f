import { SINCE_FEED, WITH_BATCH } from './repeated-texts.js';
import { describeTable } from './table-reference-entry.js';

/** Events contain the details of issues and pull requests in the same eras. */
const LIKE_STATE = 'Known like `state`.';

/** The table of events: one row per event of the public feed. */
export const EVENT_TABLES = {
  github_events: describeTable(
    {
      description:
        'What an actor did with a repository on GitHub, and when. A value that the event does not contain is NULL, never 0. Only `type`, `created_at`, `event_day`, `event_month` and `event_year` are never NULL. The table can be large: read `mv_…` tables where they have the answer.',
      grain: 'event of the public feed',
      events: ['*'],
      since: `${SINCE_FEED} Most columns depend on the era.`,
      freshness: WITH_BATCH,
      example: `
        SELECT type, COUNT(*) AS events
        FROM github_events
        GROUP BY type
        ORDER BY events DESC, type LIMIT 10`,
    },
    {
      id: ['BIGINT', 'Id of the event. Not unique: ids repeat since 2025-10-07. NULL from 2012-03 to 2014-12.'],
      type: [
        'VARCHAR(29)',
        'Type of the event: `WatchEvent` (a star), `ForkEvent`, `PushEvent`, `IssuesEvent`, `IssueCommentEvent`, `PullRequestEvent`, `PullRequestReviewEvent`, `PullRequestReviewCommentEvent`, `CreateEvent`, `DeleteEvent`, `ReleaseEvent`, `CommitCommentEvent`, `MemberEvent`, `PublicEvent`, `GollumEvent`.',
      ],
      created_at: ['DATETIME', 'Time of the event, in UTC.'],
      repo_id: [
        'BIGINT',
        'Id of the repository; joins `github_repos.repo_id`. It stays the same after a rename. Negative: derived from the name, because no event has the real id.',
      ],
      repo_name: [
        'VARCHAR(140)',
        'Name of the repository at that time, as owner/name. `github_repos` has the present name.',
      ],
      actor_id: [
        'BIGINT',
        'Id of the account that caused the event; joins `github_users.id`. Negative: derived from the login, because no event has its id.',
      ],
      actor_login: ['VARCHAR(40)', 'Login of the actor at that time.'],
      language: [
        'VARCHAR(26)',
        'Language of the repository: in most events from 2012-03 to 2014-12, in events with a full pull request until 2025-10-07. `github_repos.primary_language` has the present one.',
      ],
      additions: ['BIGINT', 'Added lines of a pull request, in pull request events until 2025-10-07.', 'lines'],
      deletions: ['BIGINT', 'Removed lines of a pull request, in pull request events until 2025-10-07.', 'lines'],
      action: [
        'VARCHAR(32)',
        'What happened, for example `started` (a star), `opened`, `closed`, `reopened`, `created`, `published`. Since 2025-10-07 a merge is `merged`; before, `closed` with `pr_merged` 1.',
      ],
      number: [
        'INT',
        'Number of the issue or pull request in its repository: in events of issues and pull requests, and since 2015 of their comments and reviews.',
      ],
      commit_id: ['VARCHAR(40)', 'SHA of the commit that a comment or a review is about.'],
      comment_id: ['BIGINT', 'Id of the comment, in events of comments (`…CommentEvent`).'],
      org_login: ['VARCHAR(40)', 'Login of the organization that owns the repository.'],
      org_id: ['BIGINT', 'Id of the organization. NULL from 2012-03 to 2014-12.'],
      state: [
        'VARCHAR(6)',
        '`open` or `closed`: state of the issue or pull request after the event. Known for issues since 2015 and for pull requests from 2012-03 to 2025-10-07.',
      ],
      closed_at: ['DATETIME', `Time at which it was closed; NULL while it is open. ${LIKE_STATE}`],
      comments: ['INT', `Number of its comments at that time. ${LIKE_STATE}`, 'comments'],
      pr_merged_at: [
        'DATETIME',
        'Time of the merge, in all events that report it: also in reviews, and since 2025-10-07 the time of the event `merged`. NULL before 2012-03.',
      ],
      pr_merged: [
        'TINYINT',
        '1: the pull request is merged; 0: the event reports that it is not; NULL: unknown. A merge can be in several events, so count distinct numbers.',
      ],
      pr_changed_files: ['INT', 'Changed files of a pull request, from 2012-03 to 2025-10-07.', 'files'],
      pr_review_comments: ['INT', 'Review comments of a pull request, from 2012-03 to 2025-10-07.', 'comments'],
      pr_or_issue_id: ['BIGINT', 'Id of the issue or pull request, over all repositories.'],
      event_day: ['DATE', 'Day of `created_at`, in UTC.'],
      event_month: ['DATE', 'First day of the month of `created_at`, for example `2024-03-01`.'],
      event_year: ['INT', 'Year of `created_at`.'],
      push_size: ['INT', 'Commits of a push (`PushEvent`). NULL since 2025-10-07.', 'commits'],
      push_distinct_size: [
        'INT',
        'Commits of a push that are new to the repository. NULL before 2012-03 and since 2025-10-07.',
        'commits',
      ],
      creator_user_login: ['VARCHAR(40)', `Login of the creator of the issue or pull request. ${LIKE_STATE}`],
      creator_user_id: ['BIGINT', `Id of this creator. ${LIKE_STATE}`],
      pr_or_issue_created_at: ['DATETIME', `Time of its creation. ${LIKE_STATE}`],
      provisional_repo_id: [
        'BIGINT',
        'The negative id from the name, also after `repo_id` became the real id; 0 if the event has an id.',
      ],
      provisional_actor_id: [
        'BIGINT',
        'The negative id from the login, also after `actor_id` became the real id; 0 if the event has an id.',
      ],
    },
  ),
};
