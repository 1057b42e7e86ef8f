import { CATEGORIES } from './categories.js';
import { COUNTRY_CHOICE } from './countries.js';
import { type Curve, DAY_SECONDS } from './growth.js';
import { LANGUAGES } from './languages.js';
import type { Names } from './names.js';
import { type Account, PeopleOrder, type Person, type Population } from './population.js';
import { at, hash32, type Random, WeightedChoice } from './random.js';
import type { Repository } from './repository.js';

/** What the repositories are made from. */
export interface Surroundings {
  readonly startSeconds: number;
  readonly days: number;
  readonly population: Population;
  readonly names: Names;
  readonly random: Random;
}

/** The repositories by falling popularity; the last takes the name of one that is deleted midway (see `recreate`). */
export function createRepositories(count: number, surroundings: Surroundings): Repository[] {
  const organizations = createOrganizations(Math.ceil(count * 0.35), surroundings);
  const repositories = Array.from({ length: count }, (_, index) => create(index, count, organizations, surroundings));
  return recreate(repositories, surroundings);
}

function createOrganizations(count: number, { names, random }: Surroundings): Account[] {
  return Array.from({ length: count }, (_, index) => ({
    id: 100_000_001 + 1994 * index + 2 * random.below(997),
    login: names.organization(),
    type: 'Organization',
  }));
}

function create(index: number, count: number, organizations: readonly Account[], from: Surroundings): Repository {
  const { random, population, names } = from;
  // Few repositories fill fewer collections, of at least six each.
  const category = at(CATEGORIES, index % Math.min(CATEGORIES.length, Math.max(1, Math.floor(count / 6))));
  const popularity = popularityOf(index);
  const language = chooseLanguage(index, category.languages, random);
  const person = random.chance(0.3) ? random.pick(population.people) : undefined;
  const owner = person ?? random.pick(organizations);
  const finders = new PeopleOrder(population.people, random);
  const birth = chooseBirth(index, from);
  return {
    id: repositoryId(birth.createdAt, index),
    category,
    popularity,
    ...birth,
    lastDay: Number.POSITIVE_INFINITY,
    language,
    license: random.pick(LICENSES),
    description: `${category.collection} in ${language}: a synthetic project of the demo`,
    home: COUNTRY_CHOICE.draw(random),
    team: chooseTeam(index, finders, person, from),
    finders,
    name: names.repository(owner.login, category.nouns),
    owner,
    ...chooseHistory(birth.firstDay < 0, popularity, random),
    size: 200 + random.below(80_000),
    pushedAt: birth.createdAt,
    head: hash32(birth.createdAt, index).toString(16).padStart(40, '0'),
    releases: 0,
    found: 0,
  };
}

function chooseTeam(index: number, finders: PeopleOrder, founder: Person | undefined, from: Surroundings): Person[] {
  const size = 3 + from.random.below(4) + Math.floor(9 * popularityOf(index));
  const team = Array.from({ length: size }, (_, place) => finders.at(place));
  // Those whose login looks like a bot's are in the best-known team, so that they are seen.
  const lookalikes = index === 0 ? from.population.people.slice(0, 2) : [];
  return [...(founder === undefined ? [] : [founder]), ...lookalikes, ...team];
}

/** Zipf's law: falls with a power of the rank. */
function popularityOf(index: number): number {
  return (index + 1) ** -0.65;
}

const LICENSES = ['MIT', 'MIT', 'MIT', 'Apache-2.0', 'Apache-2.0', 'BSD-3-Clause', 'GPL-3.0', 'MPL-2.0', null];

/** Behind the first dozen, two of five take turns in the list, so that every language has one; others follow fashion. */
function chooseLanguage(index: number, fashion: readonly string[], random: Random): string {
  if (index < 12) return random.pick(fashion);
  const place = (index - 12) % 5;
  if (place < 2) return at(LANGUAGES, (2 * Math.floor((index - 12) / 5) + place) % LANGUAGES.length);
  return random.chance(0.6) ? random.pick(fashion) : at(LANGUAGES, LANGUAGE_CHOICE.draw(random));
}

const LANGUAGE_CHOICE = new WeightedChoice(LANGUAGES.map((_, index) => 1 / (index + 2)));

function chooseBirth(index: number, from: Surroundings): { curve: Curve; firstDay: number; createdAt: number } {
  const { random, days, startSeconds } = from;
  const shape = index < 3 ? 'steady' : at(SHAPES, index % SHAPES.length);
  // Late enough to be seen in the data, early enough to have some weeks of history at the end.
  const day = Math.floor(days * (0.08 + 0.87 * random.unit()));
  if (shape === 'launch') {
    const createdAt = startSeconds + day * DAY_SECONDS + random.below(DAY_SECONDS);
    return { curve: { shape, day }, firstDay: day + 1, createdAt };
  }
  const createdAt = startSeconds - (60 + random.below(3400)) * DAY_SECONDS - random.below(DAY_SECONDS);
  return { curve: { shape, day }, firstDay: -1, createdAt };
}

const SHAPES = [
  'steady',
  'growing',
  'declining',
  'viral',
  'steady',
  'launch',
  'seasonal',
  'growing',
  'steady',
  'launch',
  'viral',
  'declining',
  'growing',
] as const;

/** What an older repository already had when the demo begins; its earlier events are not in the feed. */
function chooseHistory(old: boolean, popularity: number, random: Random) {
  const stars = old ? Math.floor(30_000 * popularity * (0.3 + 0.7 * random.unit())) : 0;
  return { stars, forks: Math.floor(stars * 0.12), nextNumber: 1 + Math.floor(stars * 0.2) };
}

/** The platform's ids by time of creation, roughly; the index keeps up to 65,536 of them apart. */
function repositoryId(createdAt: number, index: number): number {
  const yearsSince2008 = (createdAt - Date.UTC(2008, 0) / 1000) / (365.25 * DAY_SECONDS);
  return Math.floor((3_116_000 * yearsSince2008 ** 2) / 65_536) * 65_536 + index;
}

/** One repository of middling rank is deleted midway; the last one follows it under the same name, with another id. */
function recreate(repositories: Repository[], { days, startSeconds, random }: Surroundings): Repository[] {
  const predecessor = repositories.slice(0, -1).find(({ firstDay }, index) => index >= 6 && firstDay < 0);
  const last = repositories.at(-1);
  if (predecessor === undefined || last === undefined) return repositories;
  const lastDay = Math.floor(days * 0.55);
  const createdAt = startSeconds + (lastDay + 2) * DAY_SECONDS + random.below(DAY_SECONDS);
  const successor: Repository = {
    ...last,
    ...chooseHistory(false, 0, random),
    id: repositoryId(createdAt, repositories.length - 1),
    category: predecessor.category,
    popularity: predecessor.popularity,
    curve: { shape: 'launch', day: lastDay + 2 },
    firstDay: lastDay + 3,
    createdAt,
    pushedAt: createdAt,
    language: predecessor.language,
    description: predecessor.description,
    team: predecessor.team,
    owner: predecessor.owner,
    name: predecessor.name,
  };
  return repositories.map((repository) => {
    if (repository === predecessor) return { ...repository, lastDay };
    return repository === last ? successor : repository;
  });
}
