import type { Account, Person } from '../world/population.js';
import type { Repository } from '../world/repository.js';

/** Everything that can happen, named finer than the feed's event types. */
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
  /** Seconds of the Unix epoch. */
  readonly at: number;
  readonly kind: EventKind;
  readonly repository: Repository;
  readonly actor: Account;
  /** The issue or pull request, where the event is about one. */
  readonly thread?: Thread;
  readonly member?: Person;
}

/** An issue or a pull request: what it is and, after the empty line, what its events have made of it so far. */
export interface Thread {
  readonly repository: Repository;
  readonly opener: Account;
  readonly outsider: boolean;
  readonly openedAt: number;
  readonly title: string;
  readonly branch: string;
  readonly additions: number;
  readonly deletions: number;
  readonly changedFiles: number;
  readonly commits: number;

  /** Given when the opening is written, so that numbers and ids follow the time. */
  number: number;
  id: number;
  head: string;
  comments: number;
  reviewComments: number;
  closedAt: number | null;
  mergedAt: number | null;
}
