import { appendRow } from '../../databases/duckdb/connection/append-row.js';
import { defineOrganizations } from '../../warehouse/derived/organizations.js';
import type { Store, Tables } from '../../warehouse/store/store.js';
import type { ProfileTarget, ProfileType, ToldProfile } from './profile-target.js';

export interface StoredProfiles {
  /** Records of these profiles that the tables have; others are left out. */
  readonly known: number;
}

/**
 * Writes what was told of records, and the time at which it was (`YYYY-MM-DD HH:MM:SS`, UTC), in one transaction, with the
 * names by which they are found. Every profile has its id under the key of the target, and none stands there twice.
 */
export function storeProfiles(
  store: Store,
  target: ProfileTarget,
  profiles: readonly ToldProfile[],
  toldAt: string,
): Promise<StoredProfiles> {
  return store.write(async (tables) => {
    const { staging } = tables;
    const { table, key } = target;
    const columns = columnsOf(target, profiles);
    await defineOrganizations(staging);
    await staging.run(createTold(target, columns));
    const appender = await staging.createAppender('told_profiles');
    for (const profile of profiles)
      appendRow(
        appender,
        [key, ...columns].map((column) => profile[column] ?? null),
      );
    appender.closeSync();
    await tables.loadRows(table, key, `SELECT ${key} FROM told_profiles`);
    const known = await countKnown(tables, target);
    const { rename, update } = updates(target, columns);
    if (rename !== undefined) await staging.run(rename);
    await staging.run(update, [toldAt]);
    await tables.writeBack(table);
    if (target.sources !== undefined) await updateSources(tables, target, target.sources, columns, toldAt);
    await tables.recompute(target.names, `SELECT ${key} FROM told_profiles`);
    await staging.run('DROP TABLE told_profiles');
    return { known };
  });
}

async function updateSources(
  tables: Tables,
  target: ProfileTarget,
  { table, columns: kept }: NonNullable<ProfileTarget['sources']>,
  columns: readonly string[],
  toldAt: string,
): Promise<void> {
  await tables.loadRows(table, target.key, `SELECT ${target.key} FROM told_profiles`);
  const { rename, update } = updates({ ...target, table }, columns, (column) => kept.includes(column));
  if (rename !== undefined) await tables.staging.run(rename);
  await tables.staging.run(update, [toldAt]);
  await tables.writeBack(table);
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

/** The columns of the target of which any profile tells. */
function columnsOf({ columns, nameColumns }: ProfileTarget, profiles: readonly ToldProfile[]): string[] {
  const all = [...Object.keys(columns), ...Object.keys(nameColumns)];
  return all.filter((column) => profiles.some((profile) => profile[column] !== undefined));
}

function createTold({ key, columns: own, nameColumns }: ProfileTarget, columns: readonly string[]): string {
  const all = { ...own, ...nameColumns };
  const types = columns.map((column) => `${column} ${SQL_TYPES[all[column]?.type ?? 'text']}`);
  return `CREATE OR REPLACE TEMP TABLE told_profiles (${[`${key} BIGINT`, ...types].join(', ')})`;
}

interface Updated extends Omit<ProfileTarget, 'table'> {
  readonly table: string;
}

/** The indexed name apart from the rest, and only where it changes, because the index changes with it. */
function updates(
  { table, key, columns: own, nameColumns }: Updated,
  columns: readonly string[],
  has: (column: string) => boolean = () => true,
) {
  const all = { ...own, ...nameColumns };
  const from = `FROM told_profiles told WHERE told.${key} = ${table}.${key}`;
  const sets = columns
    .flatMap((column) => Object.entries(all[column]?.sets(`told.${column}`) ?? {}))
    .filter(([column]) => has(column));
  const set = (some: typeof sets) => some.map(([column, sql]) => `${column} = COALESCE(${sql}, ${table}.${column})`);
  const rest = sets.filter(([column]) => !INDEXED.has(column));
  const named = sets.filter(([column]) => INDEXED.has(column));
  const renames = named.map(([column, sql]) => `(${sql}) <> ${table}.${column}`).join(' OR ');
  return {
    update: `UPDATE ${table} SET ${[...set(rest), 'refreshed_at = $1::TIMESTAMP'].join(', ')} ${from}`,
    rename: named.length === 0 ? undefined : `UPDATE ${table} SET ${set(named).join(', ')} ${from} AND (${renames})`,
  };
}

const INDEXED: ReadonlySet<string> = new Set(['repo_name', 'repo_name_lower']);

async function countKnown({ staging }: Tables, { table, key }: ProfileTarget): Promise<number> {
  const reader = await staging.runAndReadAll(
    `SELECT COUNT(*) FROM told_profiles WHERE ${key} IN (SELECT ${key} FROM ${table})`,
  );
  return Number(reader.getRowsJS()[0]?.[0]);
}
