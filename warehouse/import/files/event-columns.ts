import { quoteText } from '../../../engine/sql/duckdb/tree/quote.js';

/**
 * A `read_json` call of DuckDB with columns that fit the events of all eras. A field is NULL if it is absent in an era or has an unexpected
 * type. Fields that differ between eras are JSON: an actor is a login or an object, an issue is an id or an object. Times have a time zone,
 * because times of the second era have local offsets. `maxLineBytes` is the length of the longest line: DuckDB reserves twice as much
 * memory for each open file.
 */
export function readEventsSql(files: readonly string[], maxLineBytes: number = MAX_LINE_BYTES): string {
  const list = files.map(quoteText).join(', ');
  const columns = Object.entries(COLUMNS).map(([name, type]) => `"${name}": '${type.replace(/\s+/g, ' ')}'`);
  return (
    `read_json([${list}], format = 'newline_delimited', ignore_errors = true, ` +
    `maximum_object_size = ${Math.max(MIN_OBJECT_BYTES, Math.min(maxLineBytes, MAX_LINE_BYTES)) + 1024}, columns = {${columns.join(', ')}})`
  );
}

/** The minimum for `maximum_object_size`. DuckDB reads a file in buffers of twice this size. */
const MIN_OBJECT_BYTES = 256 * 1024;

/** A longer line counts as broken. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

const USER = 'STRUCT(id BIGINT, login VARCHAR, type VARCHAR)';

const REPOSITORY = `STRUCT(
  id BIGINT, full_name VARCHAR, description VARCHAR, language VARCHAR, size BIGINT, stargazers_count BIGINT,
  watchers_count BIGINT, watchers BIGINT, forks_count BIGINT, forks BIGINT, created_at TIMESTAMPTZ,
  pushed_at TIMESTAMPTZ, fork BOOLEAN, archived BOOLEAN, license STRUCT(spdx_id VARCHAR), owner ${USER})`;

const PULL_REQUEST = `STRUCT(
  id BIGINT, number BIGINT, state VARCHAR, comments BIGINT, created_at TIMESTAMPTZ, closed_at TIMESTAMPTZ,
  merged BOOLEAN, merged_at TIMESTAMPTZ, additions BIGINT, deletions BIGINT, changed_files BIGINT,
  review_comments BIGINT, "user" ${USER}, base STRUCT(repo ${REPOSITORY}))`;

const PAYLOAD = `STRUCT(
  action VARCHAR, number BIGINT, size BIGINT, distinct_size BIGINT, shas VARCHAR[][], ref_type VARCHAR,
  object VARCHAR, repository_id BIGINT, "commit" VARCHAR, comment_id BIGINT, issue_id BIGINT, issue JSON,
  pull_request ${PULL_REQUEST},
  comment STRUCT(id BIGINT, commit_id VARCHAR, "user" ${USER}),
  review STRUCT(commit_id VARCHAR, "user" ${USER}),
  release STRUCT(published_at TIMESTAMPTZ),
  forkee STRUCT(id BIGINT, full_name VARCHAR, created_at TIMESTAMPTZ))`;

const COLUMNS = {
  id: 'VARCHAR',
  type: 'VARCHAR',
  created_at: 'TIMESTAMPTZ',
  actor: 'JSON',
  repo: 'STRUCT(id VARCHAR, name VARCHAR)',
  org: 'STRUCT(id BIGINT, login VARCHAR)',
  payload: PAYLOAD,
  // Only events of the second era have these columns.
  actor_attributes: `STRUCT(login VARCHAR, type VARCHAR, name VARCHAR, email VARCHAR, company VARCHAR, location VARCHAR)`,
  repository: `STRUCT(
    id BIGINT, name VARCHAR, owner VARCHAR, organization VARCHAR, description VARCHAR, language VARCHAR, size BIGINT,
    watchers BIGINT, forks BIGINT, created_at TIMESTAMPTZ, pushed_at TIMESTAMPTZ, fork BOOLEAN)`,
};
