import { CATEGORIES } from './categories.js';
import { COUNTRY_CHOICE } from './countries.js';
import { type Curve, DAY_SECONDS } from './growth.js';
import type { Names } from './names.js';
import { type Account, AudienceOrder, type Person, type Population } from './population.js';
import { at, hash32, type Random, WeightedChoice } from './random.js';
import type { Repository } from './repository.js';

/** All languages that the trends accept as a filter, the most used language first. */
export const LANGUAGES: readonly string[] = [
  'JavaScript',
  'Python',
  'TypeScript',
  'Java',
  'Go',
  'C++',
  'C',
  'C#',
  'PHP',
  'Rust',
  'Shell',
  'Ruby',
  'HTML',
  'Kotlin',
  'Swift',
  'CSS',
  'Dart',
  'Scala',
  'R',
  'Lua',
  'Elixir',
  'Haskell',
  'Objective-C',
  'PowerShell',
  'HCL',
  'Julia',
  'Perl',
  'Clojure',
  'Solidity',
  'Assembly',
  'Groovy',
  'Erlang',
  'OCaml',
  'PLpgSQL',
  'TSQL',
  'CMake',
  'Emacs Lisp',
  'Common Lisp',
  'MATLAB',
  'Fortran',
];

/** The inputs for the creation of repositories. */
export interface RepositoryContext {
  readonly startSeconds: number;
  readonly days: number;
  readonly population: Population;
  readonly names: Names;
  readonly random: Random;
}

/**
 * Creates repositories, ordered by decreasing popularity. The last repository gets the name of a repository that is
 * deleted during the demo (see `addRecreatedRepository`).
 */
export function createRepositories(count: number, context: RepositoryContext): Repository[] {
  const organizations = createOrganizations(Math.ceil(count * 0.35), context);
  const repositories = Array.from({ length: count }, (_, index) =>
    createRepository(index, count, organizations, context),
  );
  return addRecreatedRepository(repositories, context);
}

function createOrganizations(count: number, { names, random }: RepositoryContext): Account[] {
  return Array.from({ length: count }, (_, index) => ({
    id: 100_000_001 + 1994 * index + 2 * random.below(997),
    login: names.organization(),
    type: 'Organization',
  }));
}

function createRepository(
  index: number,
  count: number,
  organizations: readonly Account[],
  context: RepositoryContext,
): Repository {
  const { random, population, names } = context;
  // If there are few repositories, there are fewer collections, because each needs at least six repositories.
  const category = at(CATEGORIES, index % Math.min(CATEGORIES.length, Math.max(1, Math.floor(count / 6))));
  const popularity = computePopularity(index);
  const language = chooseLanguage(index, category.languages, random);
  const person = random.chance(0.3) ? random.pick(population.people) : undefined;
  const owner = person ?? random.pick(organizations);
  const audience = new AudienceOrder(population.people, random);
  const birth = chooseBirth(index, context);
  return {
    id: repositoryId(birth.createdAt, index),
    category,
    popularity,
    ...birth,
    lastDay: Number.POSITIVE_INFINITY,
    language,
    license: random.pick(LICENSES),
    description: `${category.collection} in ${language}: a synthetic project of the demo`,
    homeCountry: COUNTRY_CHOICE.draw(random),
    team: chooseTeam(index, audience, person, context),
    audience,
    name: names.repository(owner.login, category.nouns),
    owner,
    ...createHistory(birth.firstDay < 0, popularity, random),
    size: 200 + random.below(80_000),
    pushedAt: birth.createdAt,
    head: hash32(birth.createdAt, index).toString(16).padStart(40, '0'),
    releases: 0,
    audienceReached: 0,
  };
}

function chooseTeam(
  index: number,
  audience: AudienceOrder,
  founder: Person | undefined,
  context: RepositoryContext,
): Person[] {
  const size = 3 + context.random.below(4) + Math.floor(9 * computePopularity(index));
  const team = Array.from({ length: size }, (_, place) => audience.at(place));
  // The people with bot-like logins join the most popular team, so that they occur in the events.
  const lookalikes = index === 0 ? context.population.people.slice(0, 2) : [];
  return [...(founder === undefined ? [] : [founder]), ...lookalikes, ...team];
}

/** Returns the popularity by Zipf's law: it decreases with a power of the rank. */
function computePopularity(index: number): number {
  return (index + 1) ** -0.65;
}

const LICENSES = ['MIT', 'MIT', 'MIT', 'Apache-2.0', 'Apache-2.0', 'BSD-3-Clause', 'GPL-3.0', 'MPL-2.0', null];

/**
 * The first twelve repositories use the languages of their category. Of the others, two of five take the next language in the list, so that
 * every language occurs. The remaining repositories mostly use the languages of their category.
 */
function chooseLanguage(index: number, usual: readonly string[], random: Random): string {
  if (index < 12) return random.pick(usual);
  const place = (index - 12) % 5;
  if (place < 2) return at(LANGUAGES, (2 * Math.floor((index - 12) / 5) + place) % LANGUAGES.length);
  return random.chance(0.6) ? random.pick(usual) : at(LANGUAGES, LANGUAGE_CHOICE.draw(random));
}

const LANGUAGE_CHOICE = new WeightedChoice(LANGUAGES.map((_, index) => 1 / (index + 2)));

function chooseBirth(index: number, context: RepositoryContext): { curve: Curve; firstDay: number; createdAt: number } {
  const { random, days, startSeconds } = context;
  const shape = index < 3 ? 'steady' : at(SHAPES, index % SHAPES.length);
  // The day is late enough to occur in the data, and early enough to leave some weeks of history before the end.
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

/** Creates the counts that an older repository already has at the start of the demo. Events before the start are not in the feed. */
function createHistory(isOld: boolean, popularity: number, random: Random) {
  const stars = isOld ? Math.floor(30_000 * popularity * (0.3 + 0.7 * random.unit())) : 0;
  return { stars, forks: Math.floor(stars * 0.12), nextNumber: 1 + Math.floor(stars * 0.2) };
}

/**
 * Creates an id that grows with the creation time, approximately like GitHub's ids. The index makes the ids of up to 65,536 repositories
 * distinct.
 */
function repositoryId(createdAt: number, index: number): number {
  const yearsSince2008 = (createdAt - Date.UTC(2008, 0) / 1000) / (365.25 * DAY_SECONDS);
  return Math.floor((3_116_000 * yearsSince2008 ** 2) / 65_536) * 65_536 + index;
}

/** Deletes one repository of medium rank during the demo. The last repository then gets the same name, with another id. */
function addRecreatedRepository(
  repositories: Repository[],
  { days, startSeconds, random }: RepositoryContext,
): Repository[] {
  const predecessor = repositories.slice(0, -1).find(({ firstDay }, index) => index >= 6 && firstDay < 0);
  const last = repositories.at(-1);
  if (predecessor === undefined || last === undefined) return repositories;
  const lastDay = Math.floor(days * 0.55);
  const createdAt = startSeconds + (lastDay + 2) * DAY_SECONDS + random.below(DAY_SECONDS);
  const successor: Repository = {
    ...last,
    ...createHistory(false, 0, random),
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
