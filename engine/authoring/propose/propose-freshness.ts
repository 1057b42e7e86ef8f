import type { ChangeTime, TableMeanings } from './table-meaning.js';

/** The keys of a definition about the age of its answers, and the notes about them for the author. */
export interface ProposedFreshness {
  readonly keys: { readonly data_as_of?: string; readonly cache?: { readonly ttl: string } };
  readonly notes: readonly string[];
}

export interface ReadTables {
  /** The names of the tables that the SELECT reads. */
  readonly read: readonly string[];
  readonly tables: TableMeanings;
  /** The tables without versions: other programs write them, and the service does not notice their changes. */
  readonly unversioned: readonly string[];
  /** Whether the SELECT uses `{{ now }}`, so that its answers are never stored. */
  readonly usesSecond: boolean;
}

/**
 * Proposes `data_as_of` and `cache`. It does not read `data_as_of` from the statistics of a server, because they are not exact: `UPDATE_TIME` of
 * MySQL and MariaDB is NULL after a restart, MySQL returns it from a cache for up to a day, and that of TiDB is always NULL.
 */
export function proposeFreshness({ read, tables, unversioned, usesSecond }: ReadTables): ProposedFreshness {
  const dataAsOf = proposeDataAsOf(read, tables);
  const isStored = unversioned.length > 0 && !usesSecond;
  return {
    keys: {
      ...(dataAsOf.select !== undefined && { data_as_of: dataAsOf.select }),
      ...(isStored && { cache: { ttl: `${TTL_S}s` } }),
    },
    notes: [
      ...dataAsOf.notes,
      ...(isStored
        ? [
            `cache.ttl is ${TTL_S}s, because the service does not notice changes of ${unversioned.join(', ')}: a stored answer ` +
              `can be ${TTL_S} s older than the data. Without cache, every request runs the query.`,
          ]
        : []),
    ],
  };
}

/** The proposed lifetime of answers in seconds. It is short, because callers get answers that are older than the data by this time. */
const TTL_S = 10;

interface DataAsOf {
  readonly select: string | undefined;
  readonly notes: readonly string[];
}

function proposeDataAsOf(read: readonly string[], tables: TableMeanings): DataAsOf {
  const names = [...new Set(read.map((table) => table.toLowerCase()))];
  const changes = names.flatMap((name) => tables.get(name)?.changedAt ?? []);
  if (changes.length === 0) {
    return { select: newestFact(names.flatMap((name) => tables.get(name)?.dataAsOf ?? [])), notes: [] };
  }
  const without = names.filter((name) => tables.get(name)?.changedAt === undefined).join(', ');
  // Without the changes of one table, the time could be older than the newest data.
  if (without !== '') return omitted(`no column of ${without} states the time of a change`);
  const sourcesOf = (zone: ChangeTime['zone']) =>
    changes.flatMap((change) => (change.zone === zone ? [change.source] : [])).join(', ');
  const [local, unknown] = [sourcesOf('local'), sourcesOf('unknown')];
  if (local !== '') return omitted(`the server writes its local time into ${local}`);
  return {
    select: newestChange(changes),
    notes:
      unknown === ''
        ? []
        : [`data_as_of reads ${unknown} as UTC. If it contains local times, convert them, or remove data_as_of.`],
  };
}

function omitted(reason: string): DataAsOf {
  return { select: undefined, notes: [`data_as_of is omitted, because ${reason}.`] };
}

/** Returns the SELECT of the newest time of all tables. */
function newestChange(changes: readonly ChangeTime[]): string {
  const selects = [...new Set(changes.map(({ value, from }) => `SELECT ${value} AS newest FROM ${from}`))];
  const [{ value, from } = { value: '', from: '' }] = changes;
  if (selects.length === 1) return `SELECT ${value} FROM ${from}`;
  return `SELECT MAX(newest) FROM (${selects.join(' UNION ALL ')}) changes`;
}

/**
 * Returns the SELECT of the time of the newest facts in all tables. If the SELECTs of the tables differ only in their condition, returns the
 * SELECT without a condition; if they differ otherwise, returns undefined.
 */
function newestFact(selects: readonly string[]): string | undefined {
  const distinct = new Set(selects);
  const general = new Set(selects.map((select) => select.replace(/ WHERE .*/s, '')));
  const [only] = distinct.size === 1 ? distinct : general.size === 1 ? general : [];
  return only;
}
