import { appendRow } from '../../engine/databases/duckdb/connection/append-row.js';
import { defineOrganizations } from '../../warehouse/derived/organizations.js';
import { updatePeople } from '../../warehouse/derived/people.js';
import { markOutdated } from '../../warehouse/derived/refresh-as-of.js';
import type { Store, Tables } from '../../warehouse/store/store.js';
import type { Profile, ProfileTarget, ProfileType } from './profile-target.js';

export interface StoredProfiles {
  /** The number of profiles whose record is in the tables. Profiles of other records are skipped. */
  readonly known: number;
}

/**
 * Stores profiles in one transaction, with the time of their refresh (`YYYY-MM-DD HH:MM:SS`, UTC). Also updates the names for the search
 * and mv_repo_people. Every profile must contain the key column of the target, and the keys must be unique.
 */
export function storeProfiles(
  store: Store,
  target: ProfileTarget,
  profiles: readonly Profile[],
  refreshedAt: string,
): Promise<StoredProfiles> {
  return store.write((tables) => writeProfiles(tables, target, profiles, refreshedAt, 'skip'));
}

/** Like `storeProfiles`, in the caller's transaction. `unknown` determines whether missing records are added to the table. */
export async function writeProfiles(
  tables: Tables,
  target: ProfileTarget,
  profiles: readonly Profile[],
  refreshedAt: string,
  unknown: 'add' | 'skip',
): Promise<StoredProfiles> {
  const { staging } = tables;
  const { table, key } = target;
  const columns = findUsedColumns(target, profiles);
  await defineOrganizations(staging);
  await staging.run(createStagedTable(target, columns));
  const appender = await staging.createAppender('staged_profiles');
  for (const profile of profiles)
    appendRow(
      appender,
      [key, ...columns].map((column) => profile[column] ?? null),
    );
  appender.closeSync();
  await tables.loadRows(table, key, `SELECT ${key} FROM staged_profiles`);
  const { add, update } = createUpdates(target, columns);
  if (unknown === 'add') await staging.run(add);
  const known = await countKnown(tables, target);
  await staging.run(update, [refreshedAt]);
  for (const [column, sql] of Object.entries(target.computed ?? {}))
    await staging.run(`UPDATE ${table} SET ${column} = ${sql} WHERE ${key} IN (SELECT ${key} FROM staged_profiles)`);
  await tables.writeBack(table);
  await copyToSources(tables, target);
  await tables.recompute(target.names, `SELECT ${key} FROM staged_profiles`);
  if (table === 'github_users') await updatePeople(tables, `SELECT ${key} FROM staged_profiles`);
  await staging.run('DROP TABLE staged_profiles');
  await markOutdated(tables);
  return { known };
}

/**
 * Copies the records to the table of sources, from which imports compute some records again. The profile also replaces facts from events
 * that did not contain the id of the record.
 */
async function copyToSources(tables: Tables, { table, key, sources }: ProfileTarget): Promise<void> {
  await tables.loadRows(sources.table, key, `SELECT ${key} FROM staged_profiles`);
  const columns = sources.columns.filter((column) => column !== key && column !== 'target_id');
  await tables.staging.run(`
    UPDATE ${sources.table} SET ${columns.map((column) => `${column} = ${table}.${column}`).join(', ')}
    FROM ${table}
    WHERE ${table}.${key} = ${sources.table}.${key} AND ${table}.${key} IN (SELECT ${key} FROM staged_profiles)`);
  await tables.writeBack(sources.table);
}

const SQL_TYPES: Readonly<Record<ProfileType, string>> = {
  text: 'VARCHAR',
  count: 'BIGINT',
  whole: 'BIGINT',
  flag: 'TINYINT',
  time: 'TIMESTAMP',
  country: 'VARCHAR',
  'account-type': 'VARCHAR',
};

/** Returns the columns of the target that occur in at least one profile. */
function findUsedColumns({ columns, nameColumns }: ProfileTarget, profiles: readonly Profile[]): string[] {
  const all = [...Object.keys(columns), ...Object.keys(nameColumns)];
  return all.filter((column) => profiles.some((profile) => profile[column] !== undefined));
}

function createStagedTable({ key, columns: own, nameColumns }: ProfileTarget, columns: readonly string[]): string {
  const all = { ...own, ...nameColumns };
  const types = columns.map((column) => `${column} ${SQL_TYPES[all[column]?.type ?? 'text']}`);
  return `CREATE OR REPLACE TEMP TABLE staged_profiles (${[`${key} BIGINT`, ...types].join(', ')})`;
}

/** Creates the statements that add unknown records, and update the records with the known values of the profiles. */
function createUpdates({ table, key, columns: own, nameColumns }: ProfileTarget, columns: readonly string[]) {
  const all = { ...own, ...nameColumns };
  const assignments = columns.flatMap((column) => Object.entries(all[column]?.assign(`staged.${column}`) ?? {}));
  const set = assignments.map(([column, sql]) => `${column} = COALESCE(${sql}, ${table}.${column})`);
  return {
    add: `
      INSERT INTO ${table} (${key})
      SELECT ${key} FROM staged_profiles WHERE ${key} NOT IN (SELECT ${key} FROM ${table})`,
    update: `
      UPDATE ${table} SET ${[...set, 'refreshed_at = $1::TIMESTAMP'].join(', ')}
      FROM staged_profiles staged WHERE staged.${key} = ${table}.${key}`,
  };
}

async function countKnown({ staging }: Tables, { table, key }: ProfileTarget): Promise<number> {
  const reader = await staging.runAndReadAll(
    `SELECT COUNT(*) FROM staged_profiles WHERE ${key} IN (SELECT ${key} FROM ${table})`,
  );
  return Number(reader.getRowsJS()[0]?.[0]);
}
