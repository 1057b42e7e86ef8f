import type { PublicTable, PublicTables } from '../sql/guard/public-table.js';

/** The tables and columns that untrusted SQL may read. It cannot read anything else, such as e-mail addresses. */
export const PUBLIC_TABLES: PublicTables = new Map(
  Object.entries({
    github_events: table(
      `id type created_at repo_id repo_name actor_id actor_login language additions deletions action number commit_id
       comment_id org_login org_id state closed_at comments pr_merged_at pr_merged pr_changed_files pr_review_comments
       pr_or_issue_id event_day event_month event_year push_size push_distinct_size creator_user_login
       creator_user_id pr_or_issue_created_at provisional_repo_id`,
    ),
    github_repos: table(
      `repo_id repo_name owner_id owner_login owner_is_org description primary_language license size stars forks
       parent_repo_id is_fork is_archived is_deleted latest_released_at pushed_at created_at updated_at last_event_at
       refreshed_at repo_name_lower`,
    ),
    github_users: table(
      `id login type is_bot name organization organization_formatted address country_code region_code state city
       longitude latitude public_repos followers followings created_at updated_at is_deleted refreshed_at`,
    ),
    collections: table('id name public', '`public` = 1'),
    collection_items: table(
      'id collection_id repo_name repo_id last_month_rank last_2nd_month_rank',
      '`collection_id` IN (SELECT `id` FROM `collections` AS `public_collections` WHERE `public` = 1)',
    ),
    osdb_repos: table('id name group_name'),
    calendar_days: table('day week month'),
    mv_event_coverage: table('type day events newest_at hours'),
    mv_feed_gaps: table('type first_hour last_hour hours period'),
    mv_repo_daily_engagements: table('day repo_id user_login engagements'),
    mv_repo_daily_newcomers: table('repo_id kind day newcomers'),
    mv_repo_forks: table('repo_id user_id'),
    mv_repo_issue_creators: table('repo_id user_id issues first_issue_opened_at'),
    mv_repo_issues: table('repo_id number user_id opened_at'),
    mv_repo_participants: table('repo_id user_login first_engagement_at last_engagement_at'),
    mv_repo_pull_request_creators: table('repo_id user_id prs first_pr_opened_at first_pr_merged_at'),
    mv_repo_pull_requests: table('repo_id number user_id opened_at merged_at creator_id has_event'),
    mv_repo_stars: table('repo_id user_id day'),
    mv_repo_totals: table(
      'repo_id issues pull_requests stars forks issues_without_creator pull_requests_without_creator',
    ),
    mv_trending_repos: table(
      'language period dt repo_id stars forks pull_requests pushes total_score contributor_logins',
    ),
  }),
);

function table(columns: string, where?: string): PublicTable {
  const names = columns.trim().split(/\s+/);
  return where === undefined ? { columns: names } : { columns: names, where };
}
