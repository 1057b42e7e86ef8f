import type { Names } from './names.js';
import type { Account } from './population.js';
import type { Random } from './random.js';
import { isDeleted, type Repository } from './repository.js';

/** A change of the name or owner of a repository, whose id does not change. */
export interface Move {
  readonly day: number;
  readonly repository: Repository;
  readonly name: string;
  readonly owner: Account;
}

/**
 * Plans moves in the middle of the demo: every fortieth repository gets a new name, and one repository of a person
 * moves to an organization.
 */
export function planMoves(repositories: readonly Repository[], days: number, names: Names, random: Random): Move[] {
  const settled = repositories.filter((repository) => repository.firstDay < 0 && !isDeleted(repository));
  const day = () => Math.floor(days * (0.3 + 0.5 * random.unit()));
  const renamed = settled.filter((_, index) => index % 40 === 3);
  const moves = renamed.map((repository) => ({
    day: day(),
    repository,
    name: names.repository(repository.owner.login, repository.category.nouns),
    owner: repository.owner,
  }));
  const transferred = settled.find((repository) => repository.owner.type === 'User' && !renamed.includes(repository));
  const organization = repositories.find((repository) => repository.owner.type === 'Organization')?.owner;
  if (transferred === undefined || organization === undefined) return moves;
  const name = names.repository(organization.login, transferred.category.nouns);
  return [...moves, { day: day(), repository: transferred, name, owner: organization }];
}
