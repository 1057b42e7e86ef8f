import { type City, fold, type Gazetteer, type Region } from './gazetteer.js';

/** The country of the largest town of these names within a region or country. */
export function countryWithin(
  names: readonly string[],
  larger: string,
  gazetteer: Gazetteer,
  least = 0,
): string | undefined {
  const regions = regionsOf(larger, gazetteer);
  if (regions.length === 0) return undefined;
  const cities = names.flatMap((name) => citiesNamed(fold(name), gazetteer));
  const within = largest(cities.filter((city) => regions.some((region) => isWithin(city, region))));
  return within !== undefined && within.population >= least ? within.country : undefined;
}

/** "Somewhere, CA" is in California rather than in Canada, and "Somewhere, FR" in the one country that it can be. */
export function ofUnknownTown(part: string, regions: readonly Region[]): string | undefined {
  if (WORDS.test(part)) return undefined;
  const isAmerican = regions.some(({ country, region }) => country === 'US' && region !== ANY);
  if (!isAmerican) return onlyCountry(regions);
  return OTHERS_AS_OFTEN.has(part.replace(/\./g, '').toUpperCase()) ? undefined : 'US';
}

/** What an abbreviation (of two letters in any case), or a name, may mean: regions, or a country. */
export function regionsOf(part: string, { regions, countries, countryOfCode }: Gazetteer): Region[] {
  const plain = part.replace(/\./g, '');
  const letters = /^[a-z]{2}$/i.test(plain) ? plain.toUpperCase() : plain;
  const country = countries.get(fold(part).replace(/^the /, '')) ?? countryOfCode(letters);
  const own = regions.get(letters) ?? regions.get(fold(part)) ?? [];
  return [...own, ...(country === undefined ? [] : [{ country, region: ANY }])];
}

/** The country of all of them; undefined where there are several, or none. */
export function onlyCountry(regions: readonly Region[]): string | undefined {
  const found = new Set(regions.map(({ country }) => country));
  const [only] = found;
  return found.size === 1 ? only : undefined;
}

export function inner(name: string): string {
  return name.replace(AROUND, '');
}

const ANY = '*';

/** In lower case these codes are also words. */
const WORDS = /^(?:am|as|at|be|by|do|hi|in|is|it|la|me|my|no|of|oh|ok|or|so|to)$/;

/** American states that behind an unknown town as often mean the country, or a state of Brazil, of that code or name. */
const OTHERS_AS_OFTEN: ReadonlySet<string> = new Set(['AR', 'DE', 'GEORGIA', 'ID', 'IL', 'IN', 'MS', 'MT', 'SC']);

/** Words around a name that say nothing of which it is. */
const AROUND =
  /^(?:the|greater|metro|downtown|central|near|around|in|from|at|based in|living in|currently in|outside of|city of|area of|somewhere in)\s+|\s+(?:area|metro|metropolitan|metropolitan area|metro area|region|city|suburbs|proper)$/;

function citiesNamed(name: string, { cities }: Gazetteer): readonly City[] {
  const saint = name.replace(/^st /, 'saint ');
  return [...new Set([name, inner(name), saint])].flatMap((known) => cities.get(known) ?? []);
}

function isWithin(city: City, { country, region }: Region): boolean {
  return city.country === country && (region === ANY || city.region === region);
}

function largest(cities: readonly City[]): City | undefined {
  return cities.reduce<City | undefined>(
    (best, city) => (best === undefined || city.population > best.population ? city : best),
    undefined,
  );
}
