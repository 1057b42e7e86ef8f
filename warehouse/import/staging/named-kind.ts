import type { MergedTable } from '../../schema/derived-table.js';
import { repoNameUses, userNameUses } from './name-uses.js';

/**
 * A kind of object that an event can contain by name without an id: a repository or an account. Such an event gets a provisional id, which
 * is derived from the name. The provisional id is replaced when another event has the name together with a real id.
 */
export interface NamedKind {
  /** The prefix of the names of this kind's temporary tables. */
  readonly prefix: 'repo' | 'user';
  /** The id columns of github_events. `provisionalId` keeps the provisional id after `id` was replaced by the real one. */
  readonly id: 'repo_id' | 'actor_id';
  readonly provisionalId: 'provisional_repo_id' | 'provisional_actor_id';
  readonly name: 'repo_name' | 'actor_login';
  /** `uses` is the table with the times at which names were used with a real id. `useId` is its column with this id. */
  readonly uses: MergedTable;
  readonly useId: 'repo_id' | 'user_id';
  /** The table of facts, with one row per id in the events. `newestAt` is its column with the time of the newest event. */
  readonly sources: {
    readonly table: 'repo_sources' | 'user_sources';
    readonly key: 'repo_id' | 'id';
    readonly name: 'repo_name' | 'login';
    readonly newestAt: 'last_event_at' | 'updated_at';
  };
}

export const REPOSITORIES: NamedKind = {
  prefix: 'repo',
  id: 'repo_id',
  provisionalId: 'provisional_repo_id',
  name: 'repo_name',
  uses: repoNameUses,
  useId: 'repo_id',
  sources: { table: 'repo_sources', key: 'repo_id', name: 'repo_name', newestAt: 'last_event_at' },
};

export const ACCOUNTS: NamedKind = {
  prefix: 'user',
  id: 'actor_id',
  provisionalId: 'provisional_actor_id',
  name: 'actor_login',
  uses: userNameUses,
  useId: 'user_id',
  sources: { table: 'user_sources', key: 'id', name: 'login', newestAt: 'updated_at' },
};

export const KINDS: readonly NamedKind[] = [REPOSITORIES, ACCOUNTS];

/** The temporary tables of a kind that later steps of an import read. The tables have the same columns for both kinds. */
export interface KindTables {
  /** The uses of names in the staged events, with the columns of `uses`. */
  readonly uses: string;
  /**
   * `id`, a provisional id that new events affect, and `target_id`, the id of the repository or account that gets its facts. The two can be
   * the same.
   */
  readonly sourceTargets: string;
  /** All stored events whose provisional ids are resolved again: `id` (the provisional id), `created_at` and `target_id`. */
  readonly storedTargets: string;
  /** The stored events whose repository or account changes, with their new id, and the previous id as `old_id`. */
  readonly moved: string;
  /** `id`: the repositories or accounts that gain or lose events or facts. */
  readonly changed: string;
}

export function tablesOf({ prefix }: NamedKind): KindTables {
  return {
    uses: `${prefix}_gathered_uses`,
    sourceTargets: `${prefix}_source_targets`,
    storedTargets: `${prefix}_stored_targets`,
    moved: `${prefix}_moved_events`,
    changed: `${prefix}_changed`,
  };
}
