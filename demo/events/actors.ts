import type { Account, Person } from '../world/population.js';
import { at, hash32, type Random } from '../world/random.js';
import type { Repository } from '../world/repository.js';

/** The next person to star: everybody whom the repository suits once, then the others, and only then anybody again. */
export function nextStargazer(repository: Repository, random: Random): Person {
  const { finders } = repository;
  // Some take their star back and give it again.
  if (repository.found > 0 && random.chance(0.01)) return finders.at(random.below(repository.found));
  for (;;) {
    const place = repository.found++;
    const person = finders.at(place);
    const round = Math.floor(place / finders.length);
    if (round > 1 || suits(repository, person) === (round === 0)) return person;
  }
}

/** One of the core team; the first ones do the most. */
export function teamMember(repository: Repository, random: Random): Person {
  return at(repository.team, Math.floor(repository.team.length * random.unit() ** 1.7));
}

/** Somebody of those who know the repository; a higher `loyalty` means that the same people come more often. */
export function follower(repository: Repository, loyalty: number, random: Random): Person {
  const known = Math.min(repository.finders.length, repository.team.length + 25 + repository.found);
  let person = repository.finders.at(0);
  for (let attempt = 0; attempt < 4; attempt++) {
    person = repository.finders.at(Math.floor(known * random.unit() ** loyalty));
    if (suits(repository, person)) break;
  }
  return person;
}

/** A person of the team other than `somebody`, or nobody when the team is that one person. */
export function colleague(repository: Repository, somebody: Account, random: Random): Person {
  const person = teamMember(repository, random);
  if (person.id !== somebody.id) return person;
  return repository.team.find((member) => member.id !== somebody.id) ?? person;
}

/** Fixed for each pair: eager people, and those from where the repository is known best, more often than others. */
function suits(repository: Repository, person: Person): boolean {
  const nearness = person.country === repository.home ? 1 : 0.55;
  return hash32(repository.id, person.id) / 0x1_0000_0000 < person.eagerness * nearness;
}
