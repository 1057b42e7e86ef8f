/** An account in an event. The id 0 means that the event has no actor. */
export interface Account {
  readonly id: bigint;
  readonly login: string;
}

/** A repository in an event. */
export interface NamedRepository {
  readonly id: bigint;
  /** The name at the time of the event, `owner/name`. */
  readonly name: string;
}

/** The formats of archive files. Each is named after a year in which it was used. */
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

/** An event, which the oracle counts and an archive file contains as a line. */
export interface Fact {
  readonly shape: Shape;
  readonly type: FactType;
  /** The action: `opened`, `closed`, `merged`, `reopened`, `started`, `created` or empty. */
  readonly action: string;
  readonly at: string;
  readonly repository: NamedRepository;
  readonly actor: Account;
  /** The number of the issue or pull request, or its negative id in formats without numbers. */
  readonly number: number;
  /** The author of the issue or pull request, in formats that contain it. */
  readonly creator: Account | undefined;
  /** The time of the merge, which may be earlier than the event. */
  readonly mergedAt: string | undefined;
  readonly details: RepositoryDetails | undefined;
  readonly profile: Profile | undefined;
}

/** Details of a repository that some events contain. */
export interface RepositoryDetails {
  readonly language: string;
  readonly description: string;
  readonly createdAt: string;
  readonly stars: number;
  readonly forks: number;
}

/** The details of a repository in GitHub's API. */
export interface EnrichedRepository extends Omit<RepositoryDetails, 'createdAt'> {
  readonly createdAt: string | undefined;
  readonly isDeleted: boolean;
}

/** GitHub's counts of the stars of a repository, by day. Days after `until` are not complete. */
export interface StarCounts {
  readonly until: string;
  readonly days: ReadonlyMap<string, number>;
}

/** The issues and pull requests of a repository, as GitHub lists them. `until` is the day of the newest request. */
export interface IssueList {
  readonly until: string;
  readonly threads: readonly ListedThread[];
}

/** An issue or pull request in a list of GitHub. */
export interface ListedThread {
  readonly type: 'IssuesEvent' | 'PullRequestEvent';
  readonly number: number;
  /** The id of the account that opened it; 0 if GitHub does not return the account. */
  readonly user: bigint;
  readonly openedAt: string;
  readonly mergedAt: string | undefined;
}

/** The profile of a person in the feed or in GitHub's API. */
export interface Profile {
  readonly name: string;
  readonly organization: string;
  /** A country code, or a text that is not a country. */
  readonly country: string;
}

export interface World {
  /** The current time for queries on the world. */
  readonly now: string;
  readonly facts: readonly Fact[];
  /** Facts that a second file contains again. The importer must ignore these lines. */
  readonly repeated: readonly Fact[];
  /** Profiles that are only in GitHub's API. */
  readonly profiles: ReadonlyMap<bigint, Profile>;
  readonly repositories: ReadonlyMap<bigint, EnrichedRepository>;
  readonly counts: ReadonlyMap<bigint, StarCounts>;
  /** GitHub's lists of issues, by repository. */
  readonly lists: ReadonlyMap<bigint, IssueList>;
  readonly collections: readonly Collection[];
  readonly visits: readonly { readonly collection: number; readonly day: string; readonly visits: number }[];
  /** The names of repositories that trends must exclude. */
  readonly hiddenRepositories: readonly string[];
  readonly hiddenPeople: readonly string[];
}

export interface Collection {
  readonly id: number;
  readonly name: string;
  readonly isPublic: boolean;
  readonly items: readonly NamedRepository[];
}
