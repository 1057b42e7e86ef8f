import { readEventsSql } from '../files/event-columns.js';
import { provisionalIdSql } from './provisional-id.js';

/** A file of JSON lines in the staging folder. `file` is the number of its source. */
export interface StagedChunk {
  readonly number: number;
  readonly file: number;
  readonly path: string;
  readonly longestLine: number;
}

/**
 * A SELECT of one row per JSON line, in the order of the lines: `chunk`, `file` and `event`. `event` is a struct with the columns of
 * github_events and with facts about the repository and the people. If DuckDB rejects a line, its `event.type` is NULL. The struct is
 * one column, because DuckDB reserves memory for each column to keep the order, and with many columns it only uses one thread.
 */
export function eventRowsSql(chunks: readonly StagedChunk[]): string {
  const numbers = (key: 'number' | 'file') => `[${chunks.map((chunk) => chunk[key]).join(', ')}]`;
  return `
    WITH parsed AS (
      SELECT
        list_extract(${numbers('number')}, file_index::INTEGER + 1) AS chunk,
        list_extract(${numbers('file')}, file_index::INTEGER + 1) AS file,
        * EXCLUDE (actor),
        json_transform(CASE WHEN actor LIKE '{%' THEN actor END, '${ACTOR}') AS actor,
        CASE WHEN actor LIKE '"%' THEN actor ->> '$' END AS actor_text,
        json_transform(CASE WHEN payload.issue LIKE '{%' THEN payload.issue END, '${ISSUE}') AS issue,
        CASE WHEN payload.issue NOT LIKE '{%' THEN TRY_CAST(payload.issue AS BIGINT) END AS issue_number,
        payload.pull_request AS pr
      FROM ${readEventsSql(
        chunks.map((chunk) => chunk.path),
        Math.max(...chunks.map((chunk) => chunk.longestLine)),
      )}
    ),
    named AS (${NAMED}),
    identified AS (${IDENTIFIED}),
    event AS (${ROWS})
    SELECT chunk, file, event FROM event`;
}

const USER = '{"id":"BIGINT","login":"VARCHAR","type":"VARCHAR"}';
const ACTOR = '{"id":"VARCHAR","login":"VARCHAR"}';
const ISSUE =
  '{"id":"BIGINT","number":"BIGINT","state":"VARCHAR","comments":"BIGINT","created_at":"TIMESTAMPTZ",' +
  `"closed_at":"TIMESTAMPTZ","user":${USER}}`;

/** Gists of the first era have "/" as the name of their repository. */
const NAMED = `
  SELECT *,
    ${truncate('actor.login, actor_text, actor_attributes.login', 40)} AS login,
    ${truncate("NULLIF(repo.name, '/'), repository.owner || '/' || repository.name", 140)} AS name,
    CASE WHEN issue.user.id IS NOT NULL THEN issue.user ELSE pr.user END AS creator,
    pr.base.repo AS base,
    ${utc('parsed.created_at')} AS occurred_at
  FROM parsed`;

/** If the actor has no id, a user of the payload with the same login may have it; otherwise a provisional id is used. */
const IDENTIFIED = `
  SELECT *,
    COALESCE(
      ${wholeNumber('actor.id')},
      ${['pr.user', 'issue.user', 'payload.comment.user', 'payload.review.user']
        .map((user) => `CASE WHEN lower(${user}.login) = lower(login) THEN ${realId(`${user}.id`)} END`)
        .join(',\n      ')},
      ${provisionalIdSql('login')}
    ) AS actor_id,
    COALESCE(
      ${wholeNumber('repo.id')},
      ${['repository.id', 'payload.repository_id', 'base.id'].map(realId).join(', ')},
      ${provisionalIdSql('name')}
    ) AS repo_id,
    CASE WHEN payload.action = 'merged' OR pr.merged_at IS NOT NULL THEN TRUE ELSE pr.merged END AS merged
  FROM named`;

/**
 * The number of commits that are new to the repository. Events of the second era mark these commits. For the first era the number is NULL.
 */
const OWN_COMMITS = `
  CASE WHEN len(list_filter(payload.shas, lambda sha: sha[5] IS NULL)) = 0
  THEN len(list_filter(payload.shas, lambda sha: sha[5] <> 'false')) END`;

const ROWS = `
  SELECT
    chunk,
    file,
    ${wholeNumber('id')} AS id,
    left(type, 29) AS type,
    occurred_at AS created_at,
    repo_id,
    name AS repo_name,
    actor_id,
    login AS actor_login,
    ${truncate('base.language, repository.language', 26)} AS language,
    pr.additions,
    pr.deletions,
    ${truncate('payload.action', 32)} AS action,
    ${int('COALESCE(issue.number, pr.number, payload.number)')} AS number,
    ${truncate('payload.comment.commit_id, payload.review.commit_id, payload.commit', 40)} AS commit_id,
    COALESCE(payload.comment.id, payload.comment_id) AS comment_id,
    ${truncate('org.login, repository.organization', 40)} AS org_login,
    ${realId('org.id')} AS org_id,
    ${truncate('issue.state, pr.state', 6)} AS state,
    COALESCE(${utc('issue.closed_at')}, ${utc('pr.closed_at')}) AS closed_at,
    ${int('COALESCE(issue.comments, pr.comments)')} AS comments,
    CASE WHEN merged THEN COALESCE(${utc('pr.merged_at')}, occurred_at) END AS pr_merged_at,
    merged::TINYINT AS pr_merged,
    ${int('pr.changed_files')} AS pr_changed_files,
    ${int('pr.review_comments')} AS pr_review_comments,
    COALESCE(issue.id, pr.id, issue_number, payload.issue_id) AS pr_or_issue_id,
    occurred_at::DATE AS event_day,
    date_trunc('month', occurred_at)::DATE AS event_month,
    year(occurred_at)::INTEGER AS event_year,
    ${int('COALESCE(payload.size, len(payload.shas))')} AS push_size,
    ${int(`COALESCE(payload.distinct_size, ${OWN_COMMITS})`)} AS push_distinct_size,
    ${truncate('creator.login', 40)} AS creator_user_login,
    ${realId('creator.id')} AS creator_user_id,
    COALESCE(${utc('issue.created_at')}, ${utc('pr.created_at')}) AS pr_or_issue_created_at,
    LEAST(repo_id, 0) AS provisional_repo_id,
    LEAST(actor_id, 0) AS provisional_actor_id,
    COALESCE(creator.type, '') AS creator_type,
    COALESCE(payload.comment.user, payload.review.user) AS commenter,
    CASE
      WHEN base.created_at IS NOT NULL THEN ${apiRepository()}
      WHEN repository.name IS NOT NULL THEN ${timelineRepository()}
    END AS repository,
    CASE WHEN actor_attributes.login IS NOT NULL THEN {
      type: COALESCE(actor_attributes.type, ''),
      name: ${truncateOrEmpty('actor_attributes.name', 255)},
      email: ${truncateOrEmpty('actor_attributes.email', 255)},
      organization: ${truncateOrEmpty('actor_attributes.company', 255)},
      address: ${truncateOrEmpty('actor_attributes.location', 255)}
    } END AS profile,
    CASE WHEN type = 'CreateEvent' AND COALESCE(payload.ref_type, payload.object) = 'repository' THEN occurred_at END AS began_at,
    ${utc('payload.release.published_at')} AS released_at,
    CASE WHEN type = 'ForkEvent' AND payload.forkee.full_name IS NOT NULL THEN {
      id: ${realId('payload.forkee.id')}, name: left(payload.forkee.full_name, 140), created_at: ${utc('payload.forkee.created_at')}
    } END AS fork
  FROM identified`;

/** The facts about a repository in the API format, as in the base of a pull request. */
function apiRepository(): string {
  return `{
      details: {
        description: ${truncateOrEmpty('base.description', 512)},
        language: ${truncateOrEmpty('base.language', 32)},
        license: ${truncateOrEmpty('base.license.spdx_id', 32)},
        size: COALESCE(base.size, 0),
        is_archived: COALESCE(base.archived, FALSE)::TINYINT
      },
      is_fork: COALESCE(base.fork, FALSE)::TINYINT,
      stars: COALESCE(base.stargazers_count, base.watchers_count, base.watchers, 0),
      forks: COALESCE(base.forks_count, base.forks, 0),
      created_at: ${utc('base.created_at')},
      pushed_at: ${utc('base.pushed_at')},
      owner: { id: base.owner.id, login: left(base.owner.login, 40), type: base.owner.type }
    }`;
}

/** The facts about a repository in the format of the second era. */
function timelineRepository(): string {
  return `{
      details: {
        description: ${truncateOrEmpty('repository.description', 512)},
        language: ${truncateOrEmpty('repository.language', 32)},
        license: '',
        size: COALESCE(repository.size, 0),
        is_archived: 0::TINYINT
      },
      is_fork: COALESCE(repository.fork, FALSE)::TINYINT,
      stars: COALESCE(repository.watchers, 0),
      forks: COALESCE(repository.forks, 0),
      created_at: ${utc('repository.created_at')},
      pushed_at: ${utc('repository.pushed_at')},
      owner: NULL
    }`;
}

/** Converts a time to UTC with whole seconds. The result does not depend on the time zone of the session. */
function utc(expression: string): string {
  return `make_timestamp(epoch_ms(${expression}) // 1000 * 1000000)`;
}

/**
 * Returns the first text that is not NULL, truncated to the length of its column. A server would reject a longer text.
 */
function truncate(texts: string, length: number): string {
  return `left(COALESCE(${texts}), ${length})`;
}

/** Like `truncate`, but empty instead of NULL. */
function truncateOrEmpty(texts: string, length: number): string {
  return truncate(`${texts}, ''`, length);
}

/** Reads an id. NULL for a text that is not an integer: DuckDB would round 5.5 to the id of another account. */
function wholeNumber(text: string): string {
  return `CASE WHEN regexp_full_match(${text}, '[0-9]+') THEN TRY_CAST(${text} AS BIGINT) END`;
}

/** Reads an id. NULL for a negative number, because negative ids are provisional. */
function realId(number: string): string {
  return `CASE WHEN ${number} > 0 THEN ${number} END`;
}

/** Casts to INTEGER. NULL if the number is missing or too large for the column. */
function int(expression: string): string {
  return `TRY_CAST(${expression} AS INTEGER)`;
}
