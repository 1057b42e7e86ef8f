import type { Account, Person } from '../world/population.js';
import type { Repository } from '../world/repository.js';

/** All kinds of events. One event type of the feed can have several kinds. */
export type EventKind =
  | 'star'
  | 'fork'
  | 'push'
  | 'issue opened'
  | 'issue closed'
  | 'issue reopened'
  | 'issue comment'
  | 'pull opened'
  | 'pull closed'
  | 'pull merged'
  | 'pull comment'
  | 'pull review'
  | 'pull review comment'
  | 'repository created'
  | 'repository published'
  | 'branch created'
  | 'branch deleted'
  | 'tag created'
  | 'release'
  | 'member added'
  | 'commit comment'
  | 'wiki edited';

export interface DemoEvent {
  /** The time, in seconds since 1970. */
  readonly at: number;
  readonly kind: EventKind;
  readonly repository: Repository;
  readonly actor: Account;
  /** The issue or pull request of the event. */
  readonly thread?: Thread;
  readonly member?: Person;
}

/**
 * An issue or a pull request. The properties before the empty line are constant; the properties after it are the
 * current state.
 */
export interface Thread {
  readonly repository: Repository;
  readonly opener: Account;
  readonly isOutsider: boolean;
  readonly openedAt: number;
  readonly title: string;
  readonly branch: string;
  readonly additions: number;
  readonly deletions: number;
  readonly changedFiles: number;
  readonly commits: number;

  /** Assigned when the opening event is written, so that numbers and ids increase with time. */
  number: number;
  id: number;
  head: string;
  comments: number;
  reviewComments: number;
  closedAt: number | null;
  mergedAt: number | null;
}
