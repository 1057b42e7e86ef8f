import type { Database } from '../../engine/index.js';
import { createAccountCandidates, createRepositoryCandidates } from './candidates.js';
import type { Enrichment } from './enrich.js';
import { fetchAccounts } from './fetch-accounts.js';
import { fetchRepositories } from './fetch-repositories.js';
import { findCountry } from './find-country.js';
import { type Gazetteer, loadGazetteer } from './gazetteer.js';
import { type Profile, type ProfileTarget, REPOSITORIES, USERS } from './profile-target.js';

/** The tables that can be enriched, by the name that the command uses. */
export type EnrichmentKind = 'users' | 'repos';

export const TARGETS: Readonly<Record<EnrichmentKind, ProfileTarget>> = { users: USERS, repos: REPOSITORIES };

/** Creates the enrichment of a table from the queries and GitHub requests for that table. */
export function createEnrichment(
  kind: EnrichmentKind,
  { database, ...parts }: Pick<Enrichment, 'store' | 'client' | 'complete'> & { readonly database: Database },
): Enrichment {
  const common = { ...parts, target: TARGETS[kind] };
  if (kind === 'users')
    return { ...common, fetchProfiles: fetchAccounts, candidates: createAccountCandidates(database) };
  return { ...common, fetchProfiles: fetchRepositories, candidates: createRepositoryCandidates(database) };
}

/**
 * Returns a function that completes profiles. The function derives the country of an account from its location, unless
 * the profile already contains a country.
 */
export async function createProfileCompleter(kind: EnrichmentKind): Promise<(profile: Profile) => Profile> {
  if (kind === 'repos') return (profile) => profile;
  const gazetteer = await loadGazetteer();
  return (profile) => addCountry(profile, gazetteer);
}

function addCountry(profile: Profile, gazetteer: Gazetteer): Profile {
  const { location, country_code: given = null } = profile;
  if (typeof location !== 'string' || given !== null) return profile;
  return { ...profile, country_code: findCountry(location, gazetteer) ?? 'N/A' };
}
