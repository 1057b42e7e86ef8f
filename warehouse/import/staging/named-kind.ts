import type { MergedTable } from '../../schema/derived-table.js';
import { repoNameUses, userNameUses } from './name-uses.js';

/**
 * What an event can name without its id: a repository or an account. Such an event has a provisional id, which is derived from the
 * name, until an event has the name and a real id.
 */
export interface NamedKind {
  /** The first word of the temporary tables of this kind. */
  readonly prefix: 'repo' | 'user';
  /** The columns of github_events. `provisionalId` keeps the provisional id after `id` became the real one. */
  readonly id: 'repo_id' | 'actor_id';
  readonly provisionalId: 'provisional_repo_id' | 'provisional_actor_id';
  readonly name: 'repo_name' | 'actor_login';
  /** The table with the times at which names were used with a real id, and its column of this id. */
  readonly uses: MergedTable;
  readonly useId: 'repo_id' | 'user_id';
  /** The table of facts by the id in their events. `newestAt` is its column with the time of the newest event. */
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

/** The temporary tables of a kind that later steps of an import read. They have the same columns for both kinds. */
export interface KindTables {
  /** The uses of names in the staged events, with the columns of `uses`. */
  readonly uses: string;
  /**
   * `id`, a provisional id that new events affect, and `target_id`, the repository or account that gets its facts. This can be the
   * provisional id itself.
   */
  readonly sourceTargets: string;
  /** All stored events whose provisional ids are resolved again: `id` (the provisional one), `created_at` and `target_id`. */
  readonly storedTargets: string;
  /** The stored events whose repository or account changes, with their new id, and the previous one as `old_id`. */
  readonly moved: string;
  /** `id`: the repositories or accounts that get or lose events or facts. */
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
