import { writeGzipLines } from './gzip-lines.js';
import { companyOf } from './world/companies.js';
import { COUNTRIES, NOWHERE } from './world/countries.js';
import { isoTime } from './world/iso-time.js';
import { displayName } from './world/names.js';
import type { Account, Person, Population } from './world/population.js';
import { at, type Random } from './world/random.js';
import { fullName, isDeleted, type Repository } from './world/repository.js';

/**
 * What the platform's own interface would tell of an account: the feed's events carry no profile. `company` is as people
 * type it ("@Acme", "acme ", "n/a"); `country_code` is ISO 3166-1 alpha-2, null when the location does not tell it.
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

/** What the platform's own interface would tell of a repository at the demo's end; keys as in `github_repos`. */
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

/** Writes the profiles of everybody who can act or own. */
export async function writePeople(
  file: string,
  population: Population,
  repositories: readonly Repository[],
  random: Random,
): Promise<void> {
  const owners = repositories.map((repository) => repository.owner).filter((owner) => owner.type === 'Organization');
  const others = new Map([...population.bots, ...owners].map((account) => [account.id, account]));
  await writeGzipLines(file, peopleLines([...others.values()], population.people, random));
}

/** Writes the repositories as they are after their last event. */
export async function writeRepositories(file: string, repositories: readonly Repository[]): Promise<void> {
  await writeGzipLines(
    file,
    repositories.map((repository) => line(describe(repository))),
  );
}

function* peopleLines(others: readonly Account[], people: readonly Person[], random: Random): Generator<string> {
  for (const account of others) yield line(unprofiled(account));
  for (const person of people) yield line(profile(person, random));
}

function unprofiled({ id, login, type }: Account): DemoPerson {
  return { id, login, type, name: '', company: null, location: null, country_code: null };
}

function profile({ id, login, type, country }: Person, random: Random): DemoPerson {
  const name = displayName(random);
  const company = companyOf(random);
  if (!random.chance(0.6))
    return { id, login, type, name, company, location: random.pick(NOWHERE), country_code: null };
  const { code, places } = at(COUNTRIES, country);
  return { id, login, type, name, company, location: random.pick(places), country_code: code };
}

function describe(repository: Repository): DemoRepository {
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

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
