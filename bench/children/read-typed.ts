/**
 * The embedded database alone: reads the files given as arguments into a table of typed columns, the part of an event
 * that a warehouse keeps. Prints its seconds and peak memory as JSON.
 */
import { DuckDBInstance } from '@duckdb/node-api';
import { reportTo } from './report.js';

const USER = 'STRUCT(id BIGINT, login VARCHAR)';
const PULL_REQUEST =
  'STRUCT(id BIGINT, number INT, state VARCHAR, comments INT, additions BIGINT, deletions BIGINT, changed_files INT, ' +
  'review_comments INT, merged BOOLEAN, created_at TIMESTAMP, closed_at TIMESTAMP, merged_at TIMESTAMP, ' +
  `"user" ${USER}, base STRUCT(repo STRUCT(id BIGINT, language VARCHAR, stargazers_count BIGINT)))`;
const ISSUE =
  'STRUCT(id BIGINT, number INT, state VARCHAR, comments INT, created_at TIMESTAMP, closed_at TIMESTAMP, ' +
  `"user" ${USER})`;
const COLUMNS = {
  id: 'BIGINT',
  type: 'VARCHAR',
  created_at: 'TIMESTAMP',
  actor: USER,
  repo: 'STRUCT(id BIGINT, name VARCHAR)',
  org: USER,
  payload:
    `STRUCT(action VARCHAR, number INT, size INT, distinct_size INT, comment STRUCT(id BIGINT), issue ${ISSUE}, ` +
    `pull_request ${PULL_REQUEST})`,
};

const [database = '', ...files] = process.argv.slice(2);
const instance = await DuckDBInstance.create(database, { threads: '2', memory_limit: '256MB' });
const connection = await instance.connect();
const list = files.map((file) => `'${file}'`).join(', ');
const columns = Object.entries(COLUMNS).map(([name, type]) => `${name}: '${type}'`);
await reportTo(async () => {
  await connection.run(
    `CREATE TABLE events AS SELECT * FROM read_json([${list}], format = 'newline_delimited', ignore_errors = true,
     columns = {${columns.join(', ')}})`,
  );
  await connection.run('CHECKPOINT');
});
instance.closeSync();
