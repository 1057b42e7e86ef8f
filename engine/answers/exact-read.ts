import type { DataVersion, DataVersions, VersionState } from '../databases/interface/data-versions.js';
import { type Deadline, limitSignal } from '../databases/interface/deadline.js';
import { ROLLUP_STATE } from '../databases/interface/rollups.js';

/** Versions of tables, by the name of the table in lower case. */
export type TableVersions = ReadonlyMap<string, DataVersion>;

export interface ExactRead<Result> {
  readonly result: Result;
  /** The versions of the tables that the result was read from; undefined if they are unknown or changed during every attempt. */
  readonly versions: TableVersions | undefined;
}

export interface ExactReadOptions {
  /** The versions of the tables; undefined if no versions are known. */
  readonly versions: DataVersions | undefined;
  /** The tables that `read` reads. */
  readonly tables: ReadonlySet<string>;
  readonly deadline: Deadline;
}

const MAX_ATTEMPTS = 3;
/** The time limit for reading the versions. If a commit in progress takes longer, the rows are returned without a version. */
const CONFIRM_MS = 1_000;
const MAX_CONFIRM_SHARE = 0.5;

/**
 * Reads the versions of the tables before and after `read`. If the versions are equal, no transaction changed the
 * tables in between, so all queries of `read` saw the data of these versions. Otherwise `read` runs again. `read`
 * receives the versions before the read, or undefined if a table has no version.
 */
export async function readExactly<Result>(
  { versions, tables, deadline }: ExactReadOptions,
  read: (before: TableVersions | undefined) => Promise<Result>,
): Promise<ExactRead<Result>> {
  let before = versions && (await versionsBefore(versions, tables, deadline));
  if (versions === undefined || before === undefined) return { result: await read(undefined), versions: undefined };
  let result = await read(before);
  // The rows of a materialized table can be those of another definition, which only a read without versions excludes.
  const unversioned = async () => ({
    result: tables.has(ROLLUP_STATE) ? await read(undefined) : result,
    versions: undefined,
  });
  for (let attempt = 1; ; attempt += 1) {
    const after = select(await confirm(versions, deadline), tables);
    if (after === undefined) return unversioned();
    if (isEqual(before, after)) return { result, versions: after };
    if (attempt === MAX_ATTEMPTS) return unversioned();
    before = after;
    const next = await read(before).catch((error: unknown) => {
      if (deadline.signal?.aborted) throw error;
      return undefined;
    });
    // The rows of the previous attempt are an answer without a version, which is better than an error.
    if (next === undefined) return unversioned();
    result = next;
  }
}

/** Returns the current versions of tables; undefined if one of them has no version, or if they cannot be read. */
export async function readVersions(
  versions: DataVersions,
  tables: ReadonlySet<string>,
  deadline: Deadline,
): Promise<TableVersions | undefined> {
  return select(await confirm(versions, deadline), tables);
}

/** Returns the versions before the first query, or undefined without waiting if a table is known to have no version. */
async function versionsBefore(
  versions: DataVersions,
  tables: ReadonlySet<string>,
  deadline: Deadline,
): Promise<TableVersions | undefined> {
  const { known } = versions;
  if (known !== undefined && select(known, tables) === undefined) return undefined;
  return select(versions.recent() ?? (await confirm(versions, deadline)), tables);
}

/** Reads the current versions. Returns undefined if they cannot be read: the answer then states no version. */
async function confirm(versions: DataVersions, deadline: Deadline): Promise<VersionState | undefined> {
  const sources = deadline.signal === undefined ? [] : [deadline.signal];
  const limited = limitSignal(sources, Math.min(CONFIRM_MS, deadline.remainingMs * MAX_CONFIRM_SHARE));
  try {
    return await versions.confirm(limited.signal);
  } catch {
    return undefined;
  } finally {
    limited.end();
  }
}

function select(state: VersionState | undefined, tables: ReadonlySet<string>): TableVersions | undefined {
  if (state === undefined) return undefined;
  const selected = new Map<string, DataVersion>();
  for (const table of tables) {
    const version = state.tables.get(table);
    if (version === undefined) return undefined;
    selected.set(table, version);
  }
  return selected;
}

export function isEqual(one: TableVersions, other: TableVersions): boolean {
  for (const [table, version] of one) if (other.get(table) !== version) return false;
  return true;
}
