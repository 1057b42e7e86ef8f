import type { Database } from '../../engine/index.js';
import { askAccounts } from './ask-accounts.js';
import { askRepositories } from './ask-repositories.js';
import { accountCandidates, repositoryCandidates } from './candidates.js';
import { countryOf } from './country-of.js';
import type { Enrichment } from './enrich.js';
import { type Gazetteer, loadGazetteer } from './gazetteer.js';
import { type ProfileTarget, REPOSITORIES, type ToldProfile, USERS } from './profile-target.js';

/** What can be enriched. */
export type Enriched = 'users' | 'repos';

export const TARGETS: Readonly<Record<Enriched, ProfileTarget>> = { users: USERS, repos: REPOSITORIES };

/** How the platform is asked about the records of a table. */
export function enrichmentOf(
  what: Enriched,
  { database, ...parts }: Pick<Enrichment, 'store' | 'client' | 'complete'> & { readonly database: Database },
): Enrichment {
  const common = { ...parts, target: TARGETS[what] };
  if (what === 'users') return { ...common, ask: askAccounts, candidates: accountCandidates(database) };
  return { ...common, ask: askRepositories, candidates: repositoryCandidates(database) };
}

/** Of people, the country of the place where they say that they are, unless somebody knows better. */
export async function completionOf(what: Enriched): Promise<(profile: ToldProfile) => ToldProfile> {
  if (what === 'repos') return (profile) => profile;
  const gazetteer = await loadGazetteer();
  return (profile) => withCountry(profile, gazetteer);
}

function withCountry(profile: ToldProfile, gazetteer: Gazetteer): ToldProfile {
  const { location, country_code: known = null } = profile;
  if (typeof location !== 'string' || known !== null) return profile;
  return { ...profile, country_code: countryOf(location, gazetteer) ?? 'N/A' };
}
