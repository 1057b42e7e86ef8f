import { type City, foldName, type Gazetteer, type Region } from './gazetteer.js';

/**
 * Finds the country (ISO 3166-1 alpha-2) of a place in free text: "SF Bay Area", "Paris, TX", "日本 東京", "🇩🇪". Returns undefined if the text
 * contains no country or several countries, or is too ambiguous.
 */
export function findCountry(text: string, gazetteer: Gazetteer): string | undefined {
  const flags = new Set(findFlags(text));
  if (flags.size > 1 || text.length > MAX_LENGTH || ADDRESS.test(text) || NEGATION.test(text)) return undefined;
  const [flag] = flags;
  if (flag !== undefined) return gazetteer.countryOfCode(flag);
  // Alternatives ("Berlin / Munich") are separate places. The result is only defined if all of them are in one country.
  const found = new Set<string>();
  for (const one of splitAlternatives(text, gazetteer)) {
    const country = findCountryOfPlace(one, gazetteer);
    if (country !== undefined) found.add(country);
  }
  const [only] = found;
  return found.size === 1 ? only : undefined;
}

const MAX_LENGTH = 200;
/** Matches URLs, IP addresses, file paths, e-mail addresses and account names: such a text is not a place. */
const ADDRESS = /:\/\/|\d+\.\d+\.\d+|^[~/.\\]|@/;
/** Matches words that mean that the account is not in the place that follows, such as "not". */
const NEGATION = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:not|never|no longer|anywhere but|everywhere but|(?:far|away) from|except|without|ex|formerly|` +
    String.raw`nicht|kein|pas (?:en|au|à)|nunca|não|nie|не|нет)(?![\p{L}\p{N}])|n['’]t(?!\p{L})|不在|不是|ではな`,
  'iu',
);
/**
 * Matches separators between alternatives. `OR` in capitals, and `or` at the end of the text, are the code of Oregon and not separators.
 */
const ALTERNATIVES = /[/|;&+·•→⇄↔]|\b(?:and|And|AND)\b|\b(?:or|Or)\b(?=\s*[^\s,.])/;
const SEPARATORS = /[,，、()（）\n]|\s[-–—]+\s/;

/** Names of towns that people mostly use with another meaning. */
const FIGURATIVE_NAMES: ReadonlySet<string> = new Set(
  (
    'earth mars moon home here there nowhere somewhere everywhere anywhere internet online remote web cloud world worldwide ' +
    'universe galaxy space hell heaven paradise matrix void null localhost mobile data university college school office ' +
    'europe asia africa america global unknown secret private best of man nice try street same both many'
  ).split(' '),
);

/** The minimum population of a town that is named without a region or country. Smaller towns are ignored. */
const MIN_POPULATION = 15_000;
/**
 * If cities in several countries have the same name, the largest city is chosen, but only if its population is at least this many times
 * that of the second largest.
 */
const DOMINANCE = 2.5;

/** Parts of China that ISO 3166 lists as countries. */
const PARTS_OF_CHINA: ReadonlySet<string> = new Set(['HK', 'MO', 'TW']);

/** Splits a text into alternatives. Names of countries such as "Trinidad and Tobago" are not split. */
function splitAlternatives(text: string, { countries }: Gazetteer): string[] {
  const isOne = text.split(SEPARATORS).some((part) => ALTERNATIVES.test(part) && countries.has(foldName(part)));
  return isOne ? [text] : text.split(ALTERNATIVES);
}

/**
 * In `part, region, country`, the last part determines the country. The exception is `country, part`, where only the first part can contain
 * the other parts.
 */
function findCountryOfPlace(text: string, gazetteer: Gazetteer): string | undefined {
  const parts = text
    .split(SEPARATORS)
    .map((part) => part.trim())
    .filter((part) => foldName(part) !== '');
  return findByContainingPlace(parts, gazetteer) ?? findByLastPart(parts, gazetteer);
}

function findByContainingPlace(parts: readonly string[], gazetteer: Gazetteer): string | undefined {
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  if (parts.length < 2) return undefined;
  const withinLast = findCountryWithin(parts.slice(0, -1), last, gazetteer);
  if (withinLast !== undefined) return withinLast;
  const [isFirst, isLast] = [first, last].map((part) => gazetteer.countries.has(foldName(part)));
  if (isLast && !isFirst) return undefined;
  // A small town with this name could be anywhere: "New York, Manchester" are two places. So the town must have a minimum population.
  const least = isFirst && !isLast ? 0 : MIN_POPULATION;
  return findCountryWithin(parts.slice(1), first, gazetteer, least);
}

function findByLastPart(parts: readonly string[], gazetteer: Gazetteer): string | undefined {
  for (let last = parts.length - 1; last >= 0; last--) {
    const [part = '', before] = [parts[last], parts.slice(0, last)];
    if (isNonPlace(part, gazetteer)) continue;
    const country = findCountryOfPart(part, before, gazetteer);
    if (country === undefined) continue;
    const others = findOtherPlaces(before, gazetteer);
    const nearest = others.at(-1)?.code ?? '';
    if (PARTS_OF_CHINA.has(nearest) && country === 'CN') return nearest;
    return namesSeveralPlaces(part, others, country, gazetteer) ? undefined : country;
  }
  return undefined;
}

interface OtherPlace {
  readonly code: string;
  /** Whether the text names the country itself, rather than a town in the country. */
  readonly isCountry: boolean;
}

function findOtherPlaces(parts: readonly string[], gazetteer: Gazetteer): OtherPlace[] {
  return parts.flatMap((part) => {
    const code = findUnambiguousName(foldName(part), gazetteer);
    return code === undefined ? [] : [{ code, isCountry: gazetteer.countries.has(foldName(part)) }];
  });
}

/**
 * Whether the parts are different places. "New York, London" are two towns, "Spain, Italy" two countries; "Paris, TX"
 * and "Jersey, UK" are one place.
 */
function namesSeveralPlaces(
  part: string,
  others: readonly OtherPlace[],
  country: string,
  gazetteer: Gazetteer,
): boolean {
  const isTown = findRegions(part, gazetteer).length === 0;
  return others.some(({ code, isCountry }) => code !== country && (isTown || (isCountry && !DEPENDENT.has(code))));
}

/** Territories with their own code in ISO 3166 that people also write as a part of another country, as in "Jersey, UK". */
const DEPENDENT: ReadonlySet<string> = new Set(
  'AS AW AX BM CW FO GF GG GI GL GP GU HK IM JE KY MO MP MQ NC PF PR RE SJ SX TW VG VI YT'.split(' '),
);

/** Finds the country of one part of the text. `before` contains the preceding parts in their order. */
function findCountryOfPart(part: string, before: readonly string[], gazetteer: Gazetteer): string | undefined {
  const known = findCountryWithin(before, part, gazetteer) ?? findExactName(foldName(part), gazetteer);
  if (known !== undefined) return known;
  const regions = findRegions(part, gazetteer);
  if (before.length > 0) return findCountryOfUnknownTown(part, regions) ?? findByName(part, gazetteer);
  // A part of two or three capital letters often has another meaning, so codes are only accepted if they are unambiguous.
  return findOnlyCountry(part.length > 3 || UNAMBIGUOUS_CODES.has(part) ? regions : []) ?? findByName(part, gazetteer);
}

/** Country codes that have no other meaning if they are the whole part. */
const UNAMBIGUOUS_CODES: ReadonlySet<string> = new Set(
  (
    'AUS AUT BEL BGR BRA CAN CHE CHL CHN CZE DEU DNK EGY ESP EST FIN FRA GBR GRC HRV HUN IDN IND IRL ISR ITA JPN KOR LTU LUX ' +
    'LVA MEX MYS NLD NOR NZL PAK PHL POL PRT ROU RUS SGP SVK SVN SWE THA TUR TWN UKR VNM ZAF'
  ).split(' '),
);

/** Whether a part is a region that spans several countries, or a word that only looks like a country. */
function isNonPlace(part: string, { nonPlaces }: Gazetteer): boolean {
  return !UNAMBIGUOUS_CODES.has(part) && nonPlaces.has(part.toLowerCase().replace(/^the /, ''));
}

/** Finds a name without commas: a city, a city next to its country or state, or a name with qualifying words. */
function findByName(part: string, gazetteer: Gazetteer): string | undefined {
  const name = foldName(part);
  if (FIGURATIVE_NAMES.has(name)) return undefined;
  const words = name.split(' ');
  return (
    findUnambiguousName(name, gazetteer) ??
    findByWords(part.trim().split(/\s+/), gazetteer) ??
    findByHanPrefix(name, gazetteer) ??
    (words.length > 1 && removeQualifiers(name) !== name ? findByName(removeQualifiers(name), gazetteer) : undefined)
  );
}

function findExactName(name: string, { countries, places }: Gazetteer): string | undefined {
  return countries.get(name) ?? places.get(name);
}

function findTown(name: string, gazetteer: Gazetteer): string | undefined {
  return gazetteer.places.get(name) ?? findCity(name, gazetteer);
}

function findUnambiguousName(name: string, gazetteer: Gazetteer): string | undefined {
  return gazetteer.countries.get(name) ?? findTown(name, gazetteer);
}

function findCity(name: string, { cities }: Gazetteer): string | undefined {
  // Two letters are treated as a code, although some towns have names of two letters.
  if (/^[a-z]{1,2}$/.test(name)) return undefined;
  const largestOf = new Map<string, number>();
  for (const { country, population } of cities.get(name) ?? []) {
    largestOf.set(country, Math.max(population, largestOf.get(country) ?? 0));
  }
  const [first, second] = [...largestOf].sort(([, a], [, b]) => b - a);
  if (first === undefined || first[1] < MIN_POPULATION) return undefined;
  return second === undefined || first[1] >= DOMINANCE * second[1] ? first[0] : undefined;
}

/** Finds two adjacent names without a comma: "Austin TX", "Paris France", "日本 東京". */
function findByWords(words: readonly string[], gazetteer: Gazetteer): string | undefined {
  for (let split = 1; split < words.length; split++) {
    const [head, tail] = [words.slice(0, split).join(' '), words.slice(split).join(' ')];
    if (isNonPlace(tail, gazetteer)) return undefined;
    const [first, last] = [findExactName(foldName(head), gazetteer), findExactName(foldName(tail), gazetteer)];
    if (last !== undefined && (first === undefined || first === last)) return last;
    const within = findCountryWithin([head], tail, gazetteer);
    if (within !== undefined) return within;
    if (gazetteer.countries.has(foldName(head)) && last === undefined) {
      const contained = findCountryWithin([tail], head, gazetteer, MIN_POPULATION);
      if (contained !== undefined) return contained;
    }
    // In some languages, all with non-Latin scripts, the larger place comes first.
    if (first !== undefined && (findTown(foldName(tail), gazetteer) === first || !/\p{Script=Latin}/u.test(head)))
      return first;
  }
  return undefined;
}

/** Finds a name in Chinese characters: they are written without spaces, with the larger place first: "中国上海", "北京市". */
function findByHanPrefix(name: string, gazetteer: Gazetteer): string | undefined {
  if (!/^\p{Script=Han}/u.test(name)) return undefined;
  for (let length = Math.min(name.length - 1, 5); length >= 2; length--) {
    const country = findExactName(name.slice(0, length), gazetteer);
    if (country !== undefined) return country;
  }
  return undefined;
}

/** Returns the country codes of all flag emoji. A flag consists of two regional indicators. */
function findFlags(text: string): string[] {
  return (text.match(/[\u{1F1E6}-\u{1F1FF}]{2}/gu) ?? []).map((flag) =>
    [...flag].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) - 0x1f1e6 + 65)).join(''),
  );
}

/**
 * Finds the largest town with one of these names within a region or country, and returns its country. Returns undefined
 * if the town has fewer than `minPopulation` people.
 */
function findCountryWithin(
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
function findCountryOfUnknownTown(part: string, regions: readonly Region[]): string | undefined {
  if (COMMON_WORDS.test(part)) return undefined;
  const isAmerican = regions.some(({ country, region }) => country === 'US' && region !== WHOLE_COUNTRY);
  if (!isAmerican) return findOnlyCountry(regions);
  return AMBIGUOUS_STATES.has(part.replace(/\./g, '').toUpperCase()) ? undefined : 'US';
}

/**
 * Returns all meanings of an abbreviation (two letters in any case) or a name. Each meaning is a region or a country.
 */
function findRegions(part: string, { regions, countries, countryOfCode }: Gazetteer): Region[] {
  const plain = part.replace(/\./g, '');
  const letters = /^[a-z]{2}$/i.test(plain) ? plain.toUpperCase() : plain;
  const country = countries.get(foldName(part).replace(/^the /, '')) ?? countryOfCode(letters);
  const own = regions.get(letters) ?? regions.get(foldName(part)) ?? [];
  return [...own, ...(country === undefined ? [] : [{ country, region: WHOLE_COUNTRY }])];
}

/** Returns the country if all regions are in the same one; otherwise, or without a region, undefined. */
function findOnlyCountry(regions: readonly Region[]): string | undefined {
  const found = new Set(regions.map(({ country }) => country));
  const [only] = found;
  return found.size === 1 ? only : undefined;
}

/** Removes words around a name that are not part of the name, for example "greater" or "area". */
function removeQualifiers(name: string): string {
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
