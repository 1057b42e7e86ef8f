import { type City, foldName, type Gazetteer, type Region } from './gazetteer.js';

/**
 * Finds the largest town with one of these names within a region or country, and returns its country. Returns undefined
 * if the town has fewer than `minPopulation` people.
 */
export function findCountryWithin(
  names: readonly string[],
  larger: string,
  gazetteer: Gazetteer,
  minPopulation = 0,
): string | undefined {
  const regions = findRegions(larger, gazetteer);
  if (regions.length === 0) return undefined;
  const cities = names.flatMap((name) => findCities(foldName(name), gazetteer));
  const within = findLargest(cities.filter((city) => regions.some((region) => isWithin(city, region))));
  return within !== undefined && within.population >= minPopulation ? within.country : undefined;
}

/**
 * Finds the country of an unknown town by the text after the town: "Somewhere, CA" is in California and not in Canada; "Somewhere, FR" is
 * in France.
 */
export function findCountryOfUnknownTown(part: string, regions: readonly Region[]): string | undefined {
  if (COMMON_WORDS.test(part)) return undefined;
  const isAmerican = regions.some(({ country, region }) => country === 'US' && region !== WHOLE_COUNTRY);
  if (!isAmerican) return findOnlyCountry(regions);
  return AMBIGUOUS_STATES.has(part.replace(/\./g, '').toUpperCase()) ? undefined : 'US';
}

/**
 * Returns all meanings of an abbreviation (two letters in any case) or a name. Each meaning is a region or a country.
 */
export function findRegions(part: string, { regions, countries, countryOfCode }: Gazetteer): Region[] {
  const plain = part.replace(/\./g, '');
  const letters = /^[a-z]{2}$/i.test(plain) ? plain.toUpperCase() : plain;
  const country = countries.get(foldName(part).replace(/^the /, '')) ?? countryOfCode(letters);
  const own = regions.get(letters) ?? regions.get(foldName(part)) ?? [];
  return [...own, ...(country === undefined ? [] : [{ country, region: WHOLE_COUNTRY }])];
}

/** Returns the country if all regions are in the same one; otherwise, or without a region, undefined. */
export function findOnlyCountry(regions: readonly Region[]): string | undefined {
  const found = new Set(regions.map(({ country }) => country));
  const [only] = found;
  return found.size === 1 ? only : undefined;
}

/** Removes words around a name that are not part of the name, for example "greater" or "area". */
export function removeQualifiers(name: string): string {
  return name.replace(QUALIFIERS, '');
}

const WHOLE_COUNTRY = '*';

/** Codes that are common words if they are written in lower case. */
const COMMON_WORDS = /^(?:am|as|at|be|by|do|hi|in|is|it|la|me|my|no|of|oh|ok|or|so|to)$/;

/**
 * States of the US that are ambiguous after an unknown town: their code or name is equally often that of a country or a Brazilian state.
 */
const AMBIGUOUS_STATES: ReadonlySet<string> = new Set(['AR', 'DE', 'GEORGIA', 'ID', 'IL', 'IN', 'MS', 'MT', 'SC']);

const QUALIFIERS =
  /^(?:the|greater|metro|downtown|central|near|around|in|from|at|based in|living in|currently in|outside of|city of|area of|somewhere in)\s+|\s+(?:area|metro|metropolitan|metropolitan area|metro area|region|city|suburbs|proper)$/;

function findCities(name: string, { cities }: Gazetteer): readonly City[] {
  const saint = name.replace(/^st /, 'saint ');
  return [...new Set([name, removeQualifiers(name), saint])].flatMap((known) => cities.get(known) ?? []);
}

function isWithin(city: City, { country, region }: Region): boolean {
  return city.country === country && (region === WHOLE_COUNTRY || city.region === region);
}

function findLargest(cities: readonly City[]): City | undefined {
  return cities.reduce<City | undefined>(
    (best, city) => (best === undefined || city.population > best.population ? city : best),
    undefined,
  );
}
