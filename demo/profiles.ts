import { writeGzipLines } from './gzip-lines.js';
import { COUNTRIES, VAGUE_PLACES } from './world/countries.js';
import { isoTime } from './world/iso-time.js';
import { createDisplayName } from './world/names.js';
import type { Account, Person, Population } from './world/population.js';
import { at, type Random } from './world/random.js';
import { fullName, isDeleted, type Repository } from './world/repository.js';

/**
 * The profile of an account in the form of GitHub's API. Profiles are in a separate file, because events contain no profiles. `company` has
 * the spellings that people type ("@Acme", "acme ", "n/a"). `country_code` is ISO 3166-1 alpha-2, or null if the location names no country.
 */
export interface DemoPerson {
  readonly id: number;
  readonly login: string;
  readonly type: Account['type'];
  readonly name: string;
  readonly company: string | null;
  readonly location: string | null;
  readonly country_code: string | null;
}

/** A repository at the end of the demo as GitHub's API would return it. Keys are columns of `github_repos`. */
export interface DemoRepository {
  readonly repo_id: number;
  readonly repo_name: string;
  readonly owner_id: number;
  readonly owner_login: string;
  readonly owner_is_org: boolean;
  readonly description: string;
  readonly primary_language: string;
  readonly license: string | null;
  readonly size: number;
  readonly stars: number;
  readonly forks: number;
  readonly is_deleted: boolean;
  /** ISO 8601, UTC. */
  readonly pushed_at: string;
  readonly created_at: string;
}

/** Writes the profiles of all actors and owners. */
export async function writePeople(
  file: string,
  population: Population,
  repositories: readonly Repository[],
  random: Random,
): Promise<void> {
  const owners = repositories.map((repository) => repository.owner).filter((owner) => owner.type === 'Organization');
  const others = new Map([...population.bots, ...owners].map((account) => [account.id, account]));
  await writeGzipLines(file, createPeopleLines([...others.values()], population.people, random));
}

/** Writes the repositories in their state after the last event. */
export async function writeRepositories(file: string, repositories: readonly Repository[]): Promise<void> {
  await writeGzipLines(
    file,
    repositories.map((repository) => formatLine(describeRepository(repository))),
  );
}

function* createPeopleLines(others: readonly Account[], people: readonly Person[], random: Random): Generator<string> {
  for (const account of others) yield formatLine(createEmptyProfile(account));
  for (const person of people) yield formatLine(createProfile(person, random));
}

function createEmptyProfile({ id, login, type }: Account): DemoPerson {
  return { id, login, type, name: '', company: null, location: null, country_code: null };
}

function createProfile({ id, login, type, country }: Person, random: Random): DemoPerson {
  const name = createDisplayName(random);
  const company = pickCompany(random);
  if (!random.chance(0.6))
    return { id, login, type, name, company, location: random.pick(VAGUE_PLACES), country_code: null };
  const { code, places } = at(COUNTRIES, country);
  return { id, login, type, name, company, location: random.pick(places), country_code: code };
}

function describeRepository(repository: Repository): DemoRepository {
  const { owner } = repository;
  return {
    repo_id: repository.id,
    repo_name: fullName(repository),
    owner_id: owner.id,
    owner_login: owner.login,
    owner_is_org: owner.type === 'Organization',
    description: repository.description,
    primary_language: repository.language,
    license: repository.license,
    size: repository.size,
    stars: repository.stars,
    forks: repository.forks,
    is_deleted: isDeleted(repository),
    pushed_at: isoTime(repository.pushedAt),
    created_at: isoTime(repository.createdAt),
  };
}

function formatLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

const COMPANIES = [
  'Brackwater Labs',
  'Tidewheel',
  'Northfen',
  'Quillmark',
  'Osprey Works',
  'Fernhollow',
  'Cobaltine',
  'Marlowick',
  'Sablegate',
  'Umberline',
  'Larkstone Systems',
  'Veldmoor',
  'Pinebarrow',
  'Ivorycliff',
  'Zincfield',
  'Hazelport',
  'Lilac & Loam',
  'Petrelon',
  'Ruskbridge University',
  'University of Gladeholm',
  'Emberquay',
  'Coraldane',
  'Mossgrid',
  'Tarnworks',
  'Ochre Collective',
] as const;

const NO_COMPANY = ['n/a', 'none', 'N/A', '@', ' ', 'None'] as const;

/** Returns the text of the company field, or null. Large companies have many people. */
function pickCompany(random: Random): string | null {
  const share = random.unit();
  if (share >= 0.4) return null;
  // Some people write that they have no company.
  if (share >= 0.35) return random.pick(NO_COMPANY);
  const company = at(COMPANIES, Math.floor(COMPANIES.length * random.unit() ** 1.8));
  return random.pick(SPELLINGS)(company);
}

/** Different spellings of one company. */
const SPELLINGS: readonly ((company: string) => string)[] = [
  (company) => company,
  (company) => company,
  (company) => company,
  (company) => `@${company}`,
  (company) => `${company} `,
  (company) => company.toUpperCase(),
  (company) => `@${company.toLowerCase()}`,
];
