import { hasRows } from '../../engine/databases/duckdb/connection/read-rows.js';
import type { Store, Tables } from '../store/store.js';
import { repoPeople } from '../tables/tables.js';

const { name: PEOPLE, keys, measures } = repoPeople;

/** The columns of github_users that mv_repo_people contains. */
export const PEOPLE_FACTS: readonly string[] = Object.keys(measures);

/**
 * Updates the rows of changed accounts in mv_repo_people. `users` is a SELECT of their ids on the staging database, which must contain
 * their new rows of github_users. Rows are replaced, because for an update of a few rows, DuckDB would rewrite whole columns.
 */
export async function updatePeople(tables: Tables, users: string): Promise<void> {
  const { staging } = tables;
  await tables.copy(PEOPLE, 'user_id', users, 'stored_people');
  await staging.run(CHANGED);
  // Without this check, DuckDB would read the whole table twice.
  if (await hasRows(staging, 'changed_people')) {
    await tables.remove(PEOPLE, 'user_id', 'SELECT user_id FROM changed_people');
    await tables.merge(repoPeople, 'changed_people');
  }
  await staging.run('DROP TABLE stored_people; DROP TABLE changed_people');
}

const factsOf = (alias: string) => PEOPLE_FACTS.map((column) => `${alias}.${column}`).join(', ');

const CHANGED = `
  CREATE OR REPLACE TEMP TABLE changed_people AS
  SELECT p.repo_id, p.user_id, ${factsOf('u')}
  FROM stored_people p
  JOIN github_users u ON u.id = p.user_id
  WHERE p.user_id IN (
    SELECT p.user_id
    FROM stored_people p
    JOIN github_users u ON u.id = p.user_id
    WHERE row(${factsOf('p')}) IS DISTINCT FROM row(${factsOf('u')})
  )`;

/**
 * Fills mv_repo_people from the other derived tables. Each transaction fills the rows of some repositories, because servers limit the size
 * of a transaction. After an interruption, it can be called again.
 */
export async function fillPeople(store: Store, maxRows = MAX_ROWS): Promise<void> {
  let last: string | undefined = MIN_ID;
  while (last !== undefined) {
    const after: string = last;
    last = await store.write((tables) => fillSome(tables, after, maxRows));
  }
  // The rows were added in sorted order, so the next import does not need to sort them.
  await store.write((tables) => tables.run('DELETE FROM table_order WHERE name = :p1', [PEOPLE]));
}

/** Fills the rows of the next repositories. Returns the last of their ids. Undefined if no repository is left. */
async function fillSome(tables: Tables, after: string, maxRows: number): Promise<string | undefined> {
  const last = await findLast(tables, after, maxRows);
  if (last === undefined) return undefined;
  const among = `repo_id > ${after} AND repo_id <= ${last}`;
  await tables.run(`DELETE FROM ${PEOPLE} WHERE ${among}`);
  await tables.insert(PEOPLE, [...keys, ...PEOPLE_FACTS], storedPeopleSql(among));
  return last;
}

/** Returns the id of the last repository of the next transaction, which fills at least `maxRows` rows if there are enough. */
async function findLast(tables: Tables, after: string, maxRows: number): Promise<string | undefined> {
  const rows = await tables.rows(
    `SELECT repo_id, stars + issues + pull_requests FROM mv_repo_totals WHERE repo_id > ${after} ORDER BY repo_id LIMIT 10000`,
  );
  let people = 0;
  for (const [id, some] of rows) {
    people += Number(some);
    if (people >= maxRows) return String(id);
  }
  const [id] = rows.at(-1) ?? [];
  return id === undefined ? undefined : String(id);
}

const MIN_ID = String(-(2n ** 63n));
/** The approximate number of rows per transaction. A single repository can have more. */
const MAX_ROWS = 100_000;

function storedPeopleSql(among: string): string {
  return `
    SELECT p.repo_id, p.user_id, ${factsOf('u')}
    FROM (
      SELECT repo_id, user_id FROM mv_repo_stars WHERE ${among}
      UNION
      SELECT repo_id, user_id FROM mv_repo_issues WHERE user_id <> 0 AND ${among}
      UNION
      SELECT repo_id, user_id FROM mv_repo_pull_requests WHERE user_id <> 0 AND ${among}
    ) p
    LEFT JOIN github_users u ON u.id = p.user_id
    ORDER BY p.repo_id, p.user_id`;
}
