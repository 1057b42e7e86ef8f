import { fold, type Gazetteer } from './gazetteer.js';
import { countryWithin, inner, ofUnknownTown, onlyCountry, regionsOf } from './larger-places.js';

/**
 * The country, as ISO 3166-1 alpha-2, in which a place is that somebody wrote as they like: "SF Bay Area", "Paris, TX",
 * "日本 東京", "🇩🇪". Undefined where the text names none, or several, or where a guess could as well be wrong.
 */
export function countryOf(text: string, gazetteer: Gazetteer): string | undefined {
  const flags = new Set(flagsIn(text));
  if (flags.size > 1 || text.length > MAX_LENGTH || NO_PLACE.test(text) || NEGATION.test(text)) return undefined;
  const [flag] = flags;
  if (flag !== undefined) return gazetteer.countryOfCode(flag);
  // What stands beside one another are several places, all of which must be in one country.
  const found = new Set<string>();
  for (const one of placesIn(text, gazetteer)) {
    const country = countryOfPlace(one, gazetteer);
    if (country !== undefined) found.add(country);
  }
  const [only] = found;
  return found.size === 1 ? only : undefined;
}

const MAX_LENGTH = 200;
/** Addresses of machines, files and pages. */
const NO_PLACE = /:\/\/|\d+\.\d+\.\d+|^[~/.\\]|@/;
/** Words that say where somebody is not. */
const NEGATION = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:not|never|no longer|anywhere but|everywhere but|far from|away from|except|without|ex|formerly|` +
    String.raw`nicht|kein|pas (?:en|au|à)|nunca|não|nie|не|нет)(?![\p{L}\p{N}])|n['’]t(?!\p{L})|不在|不是|ではな`,
  'iu',
);
/** `OR` is Oregon, and so is `or` at the end. */
const BESIDE = /[/|;&+·•→⇄↔]|\b(?:and|And|AND)\b|\b(?:or|Or)\b(?=\s*[^\s,.])/;
const WITHIN = /[,，、()（）\n]|\s[-–—]+\s/;

/** Names of towns that people write without meaning them. */
const MEANT_OTHERWISE: ReadonlySet<string> = new Set(
  (
    'earth mars moon home here there nowhere somewhere everywhere anywhere internet online remote web cloud world worldwide ' +
    'universe galaxy space hell heaven paradise matrix void null localhost mobile data university college school office ' +
    'europe asia africa america global unknown secret private best of man nice try street same both many'
  ).split(' '),
);

/** A town of fewer people is not meant by its name alone. */
const LEAST_POPULATION = 15_000;
/** How many times as many people the city must have that is meant among those of its name in several countries. */
const DOMINANCE = 2.5;

/** Countries of their own by ISO 3166 that are also written as parts of another. */
const PARTS_OF_CHINA: ReadonlySet<string> = new Set(['HK', 'MO', 'TW']);

/** "Trinidad and Tobago" is one place. */
function placesIn(text: string, { countries }: Gazetteer): string[] {
  const isOne = text.split(WITHIN).some((part) => BESIDE.test(part) && countries.has(fold(part)));
  return isOne ? [text] : text.split(BESIDE);
}

/** `part, region, country`: the last part says most, unless only the first contains the others: `country, part`. */
function countryOfPlace(text: string, gazetteer: Gazetteer): string | undefined {
  const parts = text
    .split(WITHIN)
    .map((part) => part.trim())
    .filter((part) => fold(part) !== '');
  return ofLargerPlace(parts, gazetteer) ?? ofLastPart(parts, gazetteer);
}

function ofLargerPlace(parts: readonly string[], gazetteer: Gazetteer): string | undefined {
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  if (parts.length < 2) return undefined;
  const withinLast = countryWithin(parts.slice(0, -1), last, gazetteer);
  if (withinLast !== undefined) return withinLast;
  const [isFirst, isLast] = [first, last].map((part) => gazetteer.countries.has(fold(part)));
  if (isLast && !isFirst) return undefined;
  // A small town of the name may be anywhere: "New York, Manchester" are two places.
  const least = isFirst && !isLast ? 0 : LEAST_POPULATION;
  return countryWithin(parts.slice(1), first, gazetteer, least);
}

function ofLastPart(parts: readonly string[], gazetteer: Gazetteer): string | undefined {
  for (let last = parts.length - 1; last >= 0; last--) {
    const [part = '', before] = [parts[last], parts.slice(0, last)];
    if (isNoPlace(part, gazetteer)) continue;
    const country = countryOfPart(part, before, gazetteer);
    if (country === undefined) continue;
    const others = othersAmong(before, gazetteer);
    const nearest = others.at(-1)?.code ?? '';
    if (PARTS_OF_CHINA.has(nearest) && country === 'CN') return nearest;
    return isOneOfSeveral(part, others, country, gazetteer) ? undefined : country;
  }
  return undefined;
}

interface Other {
  readonly code: string;
  /** Whether a country of that code is named, rather than a town in it. */
  readonly isCountry: boolean;
}

function othersAmong(parts: readonly string[], gazetteer: Gazetteer): Other[] {
  return parts.flatMap((part) => {
    const code = namedAlone(fold(part), gazetteer);
    return code === undefined ? [] : [{ code, isCountry: gazetteer.countries.has(fold(part)) }];
  });
}

/** "New York, London" are two towns and "Spain, Italy" two countries; "Paris, TX" and "Jersey, UK" are one place. */
function isOneOfSeveral(part: string, others: readonly Other[], country: string, gazetteer: Gazetteer): boolean {
  const isTown = regionsOf(part, gazetteer).length === 0;
  return others.some(({ code, isCountry }) => code !== country && (isTown || (isCountry && !DEPENDENT.has(code))));
}

/** Countries of their own by ISO 3166 that are also written as parts of another. */
const DEPENDENT: ReadonlySet<string> = new Set(
  'AS AW AX BM CW FO GF GG GI GL GP GU HK IM JE KY MO MP MQ NC PF PR RE SJ SX TW VG VI YT'.split(' '),
);

/** `before` are the parts of the place that stand before this one, the nearest last. */
function countryOfPart(part: string, before: readonly string[], gazetteer: Gazetteer): string | undefined {
  const known = countryWithin(before, part, gazetteer) ?? nameOf(fold(part), gazetteer);
  if (known !== undefined) return known;
  const regions = regionsOf(part, gazetteer);
  if (before.length > 0) return ofUnknownTown(part, regions) ?? ofName(part, gazetteer);
  // Two or three capitals alone are as often something else.
  return onlyCountry(part.length > 3 || CLEAR_CODES.has(part) ? regions : []) ?? ofName(part, gazetteer);
}

/** Codes of countries that mean nothing else where they stand alone. */
const CLEAR_CODES: ReadonlySet<string> = new Set(
  (
    'AUS AUT BEL BGR BRA CAN CHE CHL CHN CZE DEU DNK EGY ESP EST FIN FRA GBR GRC HRV HUN IDN IND IRL ISR ITA JPN KOR LTU LUX ' +
    'LVA MEX MYS NLD NOR NZL PAK PHL POL PRT ROU RUS SGP SVK SVN SWE THA TUR TWN UKR VNM ZAF'
  ).split(' '),
);

/** Whether it is a part of the world, or a word that only looks like a country. */
function isNoPlace(part: string, { noPlaces }: Gazetteer): boolean {
  return !CLEAR_CODES.has(part) && noPlaces.has(part.toLowerCase().replace(/^the /, ''));
}

/** A name alone: of a city, with a country or state behind or before it without a comma, or with words around it. */
function ofName(part: string, gazetteer: Gazetteer): string | undefined {
  const name = fold(part);
  if (MEANT_OTHERWISE.has(name)) return undefined;
  const words = name.split(' ');
  return (
    namedAlone(name, gazetteer) ??
    ofWords(part.trim().split(/\s+/), gazetteer) ??
    ofHan(name, gazetteer) ??
    (words.length > 1 && inner(name) !== name ? ofName(inner(name), gazetteer) : undefined)
  );
}

function nameOf(name: string, { countries, places }: Gazetteer): string | undefined {
  return countries.get(name) ?? places.get(name);
}

function ofTown(name: string, gazetteer: Gazetteer): string | undefined {
  return gazetteer.places.get(name) ?? ofCity(name, gazetteer);
}

function namedAlone(name: string, gazetteer: Gazetteer): string | undefined {
  return gazetteer.countries.get(name) ?? ofTown(name, gazetteer);
}

function ofCity(name: string, { cities }: Gazetteer): string | undefined {
  // Two letters are a code, although there are a few towns of such names.
  if (/^[a-z]{1,2}$/.test(name)) return undefined;
  const largestOf = new Map<string, number>();
  for (const { country, population } of cities.get(name) ?? []) {
    largestOf.set(country, Math.max(population, largestOf.get(country) ?? 0));
  }
  const [first, second] = [...largestOf].sort(([, a], [, b]) => b - a);
  if (first === undefined || first[1] < LEAST_POPULATION) return undefined;
  return second === undefined || first[1] >= DOMINANCE * second[1] ? first[0] : undefined;
}

/** "Austin TX", "Paris France", "日本 東京". */
function ofWords(words: readonly string[], gazetteer: Gazetteer): string | undefined {
  for (let split = 1; split < words.length; split++) {
    const [head, tail] = [words.slice(0, split).join(' '), words.slice(split).join(' ')];
    if (isNoPlace(tail, gazetteer)) return undefined;
    const [first, last] = [nameOf(fold(head), gazetteer), nameOf(fold(tail), gazetteer)];
    if (last !== undefined && (first === undefined || first === last)) return last;
    const within = countryWithin([head], tail, gazetteer);
    if (within !== undefined) return within;
    if (gazetteer.countries.has(fold(head)) && last === undefined) {
      const contained = countryWithin([tail], head, gazetteer, LEAST_POPULATION);
      if (contained !== undefined) return contained;
    }
    // The larger place stands first in some languages, none of which has capitals.
    if (first !== undefined && (ofTown(fold(tail), gazetteer) === first || !/\p{Script=Latin}/u.test(head)))
      return first;
  }
  return undefined;
}

/** Han names stand without spaces, the larger place first: "中国上海", "北京市". */
function ofHan(name: string, gazetteer: Gazetteer): string | undefined {
  if (!/^\p{Script=Han}/u.test(name)) return undefined;
  for (let length = Math.min(name.length - 1, 5); length >= 2; length--) {
    const country = nameOf(name.slice(0, length), gazetteer);
    if (country !== undefined) return country;
  }
  return undefined;
}

/** Two regional indicators are the flag of the code that they spell. */
function flagsIn(text: string): string[] {
  return (text.match(/[\u{1F1E6}-\u{1F1FF}]{2}/gu) ?? []).map((flag) =>
    [...flag].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) - 0x1f1e6 + 65)).join(''),
  );
}
