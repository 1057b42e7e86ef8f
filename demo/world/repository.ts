import type { Category } from './categories.js';
import type { Curve } from './growth.js';
import type { Account, PeopleOrder, Person } from './population.js';

/** A repository of the demo: what it is and, after the empty line, what its events have made of it so far. */
export interface Repository {
  readonly id: number;
  readonly category: Category;
  /** 1 for the most popular, falling with the rank. */
  readonly popularity: number;
  readonly curve: Curve;
  /** The first and the last whole day of activity, counted from the demo's first day. */
  readonly firstDay: number;
  readonly lastDay: number;
  /** Seconds of the Unix epoch, as every time of the demo. */
  readonly createdAt: number;
  readonly language: string;
  readonly license: string | null;
  readonly description: string;
  /** Index into COUNTRIES of where it is known best. */
  readonly home: number;
  readonly team: readonly Person[];
  readonly finders: PeopleOrder;

  name: string;
  owner: Account;
  stars: number;
  forks: number;
  /** Kilobytes, as the platform tells it. */
  size: number;
  pushedAt: number;
  head: string;
  /** Issues and pull requests share one sequence of numbers. */
  nextNumber: number;
  releases: number;
  /** How far in `finders` the repository has become known. */
  found: number;
}

/** Such as `amber-otter/tide-cache`. */
export function fullName(repository: Repository): string {
  return `${repository.owner.login}/${repository.name}`;
}

/** Whether the repository was deleted before the demo's end. */
export function isDeleted(repository: Repository): boolean {
  return repository.lastDay !== Number.POSITIVE_INFINITY;
}
