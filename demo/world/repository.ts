import type { Category } from './categories.js';
import type { Curve } from './growth.js';
import type { Account, AudienceOrder, Person } from './population.js';

/**
 * A repository of the demo. The properties before the empty line are constant; the properties after it are the current
 * state.
 */
export interface Repository {
  readonly id: number;
  readonly category: Category;
  /** The popularity: 1 for the most popular repository, and less for lower ranks. */
  readonly popularity: number;
  readonly curve: Curve;
  /** The first and the last full day of activity. Day 0 is the first day of the demo. */
  readonly firstDay: number;
  readonly lastDay: number;
  /** Times are in seconds since 1970, like all times of the demo. */
  readonly createdAt: number;
  readonly language: string;
  readonly license: string | null;
  readonly description: string;
  /** The index in COUNTRIES of the country where the repository is best known. */
  readonly homeCountry: number;
  readonly team: readonly Person[];
  readonly audience: AudienceOrder;

  name: string;
  owner: Account;
  stars: number;
  forks: number;
  /** The size in kilobytes, as in GitHub's API. */
  size: number;
  pushedAt: number;
  head: string;
  /** The next number of an issue or pull request. Issues and pull requests share one sequence of numbers. */
  nextNumber: number;
  releases: number;
  /** The number of people in `audience` who know the repository. */
  audienceReached: number;
}

/** Returns `owner/name`, for example `amber-otter/tide-cache`. */
export function fullName(repository: Repository): string {
  return `${repository.owner.login}/${repository.name}`;
}

/** Whether the repository was deleted before the demo's end. */
export function isDeleted(repository: Repository): boolean {
  return repository.lastDay !== Number.POSITIVE_INFINITY;
}
