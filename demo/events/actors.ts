import type { Account, Person } from '../world/population.js';
import { at, hash32, type Random } from '../world/random.js';
import type { Repository } from '../world/repository.js';

/**
 * Selects the next person who stars a repository: first each interested person once, then each other person once, and then any person
 * again.
 */
export function pickNextStargazer(repository: Repository, random: Random): Person {
  const { audience } = repository;
  // Some people remove their star and add it again.
  if (repository.audienceReached > 0 && random.chance(0.01))
    return audience.at(random.below(repository.audienceReached));
  for (;;) {
    const place = repository.audienceReached++;
    const person = audience.at(place);
    const round = Math.floor(place / audience.length);
    if (round > 1 || isInterested(repository, person) === (round === 0)) return person;
  }
}

/** Selects a member of the core team. Members at the start of the list are selected most often. */
export function pickTeamMember(repository: Repository, random: Random): Person {
  return at(repository.team, Math.floor(repository.team.length * random.unit() ** 1.7));
}

/** Selects a person who knows the repository. With a higher `loyalty`, the same people return more often. */
export function pickFollower(repository: Repository, loyalty: number, random: Random): Person {
  const known = Math.min(repository.audience.length, repository.team.length + 25 + repository.audienceReached);
  let person = repository.audience.at(0);
  for (let attempt = 0; attempt < 4; attempt++) {
    person = repository.audience.at(Math.floor(known * random.unit() ** loyalty));
    if (isInterested(repository, person)) break;
  }
  return person;
}

/** Selects a team member other than `actor`; returns `actor` if the team has no other member. */
export function pickOtherTeamMember(repository: Repository, actor: Account, random: Random): Person {
  const person = pickTeamMember(repository, random);
  if (person.id !== actor.id) return person;
  return repository.team.find((member) => member.id !== actor.id) ?? person;
}

/**
 * Whether a person is interested in a repository. The result is fixed for each pair. Eager people, and people from the
 * home country of the repository, are interested more often.
 */
function isInterested(repository: Repository, person: Person): boolean {
  const nearness = person.country === repository.homeCountry ? 1 : 0.55;
  return hash32(repository.id, person.id) / 0x1_0000_0000 < person.eagerness * nearness;
}
