import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { WAREHOUSE_FOLDER } from './folder.js';

/** What a version brings beside its tables, by its number: rows, and the index that only DuckDB needs so. */
export const SEEDS: Readonly<Record<number, (connection: DuckDBConnection) => Promise<void>>> = {
  1: indexNamesAndSeedCalendar,
  3: seedCountryNames,
  4: indexLowerNames,
};

/** Every day that a `from` or `to` may sensibly name; and the index that step 4 replaces. */
async function indexNamesAndSeedCalendar(connection: DuckDBConnection): Promise<void> {
  await connection.run('CREATE INDEX github_repos_by_name ON github_repos (lower(repo_name))');
  await connection.run(`
    INSERT INTO calendar_days
    SELECT day::DATE, date_trunc('week', day)::DATE, date_trunc('month', day)::DATE
    FROM range(DATE '2000-01-01', DATE '2100-01-01', INTERVAL 1 DAY) days(day)`);
}

/** A line has a code and the names of one country, as people write it in many languages, between tabs. */
async function seedCountryNames(connection: DuckDBConnection): Promise<void> {
  const text = await readFile(join(WAREHOUSE_FOLDER, 'country-names.tsv'), 'utf8');
  const appender = await connection.createAppender('country_names');
  for (const line of text.trimEnd().split('\n')) {
    const [code = '', ...names] = line.split('\t');
    for (const name of names) {
      appender.appendVarchar(name);
      appender.appendVarchar(code);
      appender.endRow();
    }
  }
  appender.closeSync();
}

/** The table has no other index: the importer merges rows by key. DuckDB makes none on rows changed in its transaction. */
async function indexLowerNames(connection: DuckDBConnection): Promise<void> {
  await connection.run('CREATE INDEX github_repos_by_name_lower ON github_repos (repo_name_lower)');
  await connection.run('UPDATE github_repos SET repo_name_lower = lower(repo_name)');
}
