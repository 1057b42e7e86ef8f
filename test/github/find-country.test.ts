import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { findCountry } from '../../github/enrichment/find-country.js';
import { type Gazetteer, loadGazetteer } from '../../github/enrichment/gazetteer.js';

/** Pairs of a country and a location text. The countries were assigned by hand. */
const SAMPLE = readFixture('locations.tsv') as [country: string, place: string][];

/** Pairs as in `SAMPLE`. In each text, the context determines whether a name means a town, a state or a country. */
const RULES = readFixture('places-by-rule.tsv') as [country: string, place: string][];

/**
 * Pairs of a country code and a text with the names of the country and of one of its towns. Some of these towns have
 * the same name as a larger town in another country.
 */
const COUNTRIES_FIRST = readFixture('countries-first.tsv').flatMap(([country = '', name, ...towns]) =>
  towns.flatMap((town) =>
    [`${name}, ${town}`, `${name} - ${town}`, `${town}, ${name}`].map((place) => [country, place]),
  ),
);

/** Abbreviations of US states that are also country codes. */
const CLASHING = 'AL AR AZ CA CO DE GA ID IL IN KY LA MA MD ME MN MO MS MT NC NE PA SC SD TN VA'.split(' ');
/** Abbreviations in `CLASHING` that, after an unknown town, mean the country as often as the state. */
const AMBIGUOUS: ReadonlySet<string> = new Set(['AR', 'DE', 'ID', 'IL', 'IN', 'MS', 'MT', 'SC']);
/** Abbreviations of US states that are common words in lower case. */
const COMMON_WORDS: ReadonlySet<string> = new Set(['LA', 'ME', 'HI', 'OK', 'OH', 'OR']);

function readFixture(fixture: string): string[][] {
  return readFileSync(new URL(`../../../test/fixtures/${fixture}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
}

describe('findCountry', () => {
  let gazetteer: Gazetteer;

  before(async () => {
    gazetteer = await loadGazetteer();
  });

  it('is right for 99 % of its results and finds 98 % of the places', () => {
    const guesses = SAMPLE.map(([country, place]) => ({ country, place, guess: findCountry(place, gazetteer) }));
    const guessed = guesses.filter(({ guess }) => guess !== undefined);
    const wrong = guessed.filter(({ country, guess }) => guess !== country);
    const real = guesses.filter(({ country }) => country !== 'N/A');
    const missed = real.filter(({ guess }) => guess === undefined);
    expect(SAMPLE.length).to.be.at.least(200);
    expect(wrong.length / guessed.length, JSON.stringify(wrong)).to.be.at.most(0.01);
    expect(missed.length / real.length, JSON.stringify(missed)).to.be.at.most(0.02);
  });

  const guessAll = (places: readonly (readonly string[])[]) =>
    places.map(([, place = '']) => [findCountry(place, gazetteer) ?? 'N/A', place]);

  it('decides by the other words of the text if a name has several meanings', () => {
    const guesses = guessAll(RULES);
    expect(RULES.length).to.be.at.least(120);
    expect(guesses.filter(([guess], place) => guess !== RULES[place]?.[0])).to.deep.equal([]);
  });

  it('finds a country before or after one of its towns', () => {
    const guesses = guessAll(COUNTRIES_FIRST);
    expect(guesses.filter(([guess], place) => guess !== COUNTRIES_FIRST[place]?.[0])).to.deep.equal([]);
  });

  it('finds the United States for an unknown town and the abbreviation of a state in any case', () => {
    const states = [...CLASHING, 'WA', 'TX', 'NY', 'FL', 'HI', 'OK', 'OH', 'OR', 'WV'];
    const places = states.flatMap((state) => {
      const mixed = `${state[0]}${state[1]?.toLowerCase()}`;
      return [state, state.toLowerCase(), mixed].map((code) => {
        const isWord = code !== code.toUpperCase() && code === code.toLowerCase() && COMMON_WORDS.has(state);
        return [AMBIGUOUS.has(state) || isWord ? 'N/A' : 'US', `Blahville, ${code}`];
      });
    });
    expect(guessAll(places)).to.deep.equal(places);
  });

  it('does not guess from two letters alone', () => {
    const places = [...CLASHING, 'WA'].flatMap((code) => [code, code.toLowerCase()]).map((code) => ['N/A', code]);
    expect(guessAll(places)).to.deep.equal(places);
  });

  it('returns undefined for places in several countries and the common country otherwise', () => {
    const cases: Record<string, string | undefined> = {
      'Berlin / Munich': 'DE',
      'Berlin / Paris': undefined,
      'Berlin | Hamburg | Remote': 'DE',
      '🇩🇪 🇫🇷': undefined,
      '🇧🇷 São Paulo': 'BR',
      'Paris and London': undefined,
    };
    for (const [place, country] of Object.entries(cases))
      expect(findCountry(place, gazetteer), place).to.equal(country);
  });

  it('decides between a state and a country with one code by the town before it', () => {
    const cases: Record<string, string | undefined> = {
      'Berlin, DE': 'DE',
      'Dover, DE': 'US',
      'Perth, WA': 'AU',
      'Spokane, WA': 'US',
      'Nowhere Particular, CA': 'US',
      'Nowhere Particular, FR': 'FR',
      'Tbilisi, Georgia': 'GE',
      'Savannah, Georgia': 'US',
      Georgia: undefined,
      DE: undefined,
    };
    for (const [place, country] of Object.entries(cases))
      expect(findCountry(place, gazetteer), place).to.equal(country);
  });

  it('returns undefined for texts without a place', () => {
    for (const text of [
      '',
      ' ',
      ',,,',
      '🏴‍☠️',
      'a'.repeat(100_000),
      ', '.repeat(90),
      '\u0000',
      '()'.repeat(50),
      '-'.repeat(150),
    ]) {
      expect(findCountry(text, gazetteer), JSON.stringify(text.slice(0, 20))).to.equal(undefined);
    }
  });
});
