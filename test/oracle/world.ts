/** An account as an event shows it. The id 0 is nobody's: the feed named no one. */
export interface Account {
  readonly id: bigint;
  readonly login: string;
}

/** A repository as an event shows it. */
export interface NamedRepository {
  readonly id: bigint;
  /** `owner/name` at the time of the event. */
  readonly name: string;
}

/** The shapes that an archive file may have, by the years in which it had them. */
export type Shape = '2011' | '2012' | '2013' | '2015' | '2026';

export type FactType =
  | 'WatchEvent'
  | 'ForkEvent'
  | 'PushEvent'
  | 'CreateEvent'
  | 'IssueCommentEvent'
  | 'IssuesEvent'
  | 'PullRequestEvent'
  | 'PullRequestReviewEvent'
  | 'PullRequestReviewCommentEvent';

/** One thing that happened: what oracles count, and what is written as a line of an archive file. */
export interface Fact {
  readonly shape: Shape;
  readonly type: FactType;
  /** `opened`, `closed`, `merged`, `reopened`, `started`, `created` or empty. */
  readonly action: string;
  readonly at: string;
  readonly repository: NamedRepository;
  readonly actor: Account;
  /** Of an issue or pull request: its number, or the negative of its id where the feed tells no number. */
  readonly number: number;
  /** Who opened the issue or pull request, where the feed tells it. */
  readonly creator: Account | undefined;
  /** When it was merged, which the feed may tell to be earlier than the event. */
  readonly mergedAt: string | undefined;
  readonly details: RepositoryDetails | undefined;
  readonly profile: Profile | undefined;
}

/** What the feed tells of a repository in some events. */
export interface RepositoryDetails {
  readonly language: string;
  readonly description: string;
  readonly createdAt: string;
  readonly stars: number;
  readonly forks: number;
}

/** What the platform's own interface tells of a repository. */
export interface ToldRepository extends Omit<RepositoryDetails, 'createdAt'> {
  readonly createdAt: string | undefined;
  readonly isDeleted: boolean;
}

/** What the feed, or the platform's own interface, tells of a person. */
export interface Profile {
  readonly name: string;
  readonly organization: string;
  /** A code, or what stands for none. */
  readonly country: string;
}

export interface World {
  /** The time at which the world is asked. */
  readonly now: string;
  readonly facts: readonly Fact[];
  /** Facts that a second file holds once more: its lines are known and must not count. */
  readonly repeated: readonly Fact[];
  /** What the platform's own interface tells, and the feed does not. */
  readonly profiles: ReadonlyMap<bigint, Profile>;
  readonly repositories: ReadonlyMap<bigint, ToldRepository>;
  readonly collections: readonly Collection[];
  readonly visits: readonly { readonly collection: number; readonly day: string; readonly visits: number }[];
  /** Names of repositories and logins that trends leave out. */
  readonly hiddenRepositories: readonly string[];
  readonly hiddenPeople: readonly string[];
}

export interface Collection {
  readonly id: number;
  readonly name: string;
  readonly isPublic: boolean;
  readonly items: readonly NamedRepository[];
}
