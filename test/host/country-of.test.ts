import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { countryOf } from '../../warehouse/enrichment/country-of.js';
import { type Gazetteer, loadGazetteer } from '../../warehouse/enrichment/gazetteer.js';

/** A line has the country and the place, between a tab; labelled by hand. */
const SAMPLE = readFileSync(new URL('../../../test/fixtures/locations.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t') as [country: string, place: string]);

describe('the country of a place as people write it', () => {
  let gazetteer: Gazetteer;

  before(async () => {
    gazetteer = await loadGazetteer();
  });

  it('is right for 99 of 100 that get one, and found for 98 of 100 that have one', () => {
    const guesses = SAMPLE.map(([country, place]) => ({ country, place, guess: countryOf(place, gazetteer) }));
    const guessed = guesses.filter(({ guess }) => guess !== undefined);
    const wrong = guessed.filter(({ country, guess }) => guess !== country);
    const real = guesses.filter(({ country }) => country !== 'N/A');
    const missed = real.filter(({ guess }) => guess === undefined);
    expect(SAMPLE.length).to.be.at.least(200);
    expect(wrong.length / guessed.length, JSON.stringify(wrong)).to.be.at.most(0.01);
    expect(missed.length / real.length, JSON.stringify(missed)).to.be.at.most(0.02);
  });

  it('is none where places are of several countries, and the one where they agree', () => {
    const cases: Record<string, string | undefined> = {
      'Berlin / Munich': 'DE',
      'Berlin / Paris': undefined,
      'Berlin | Hamburg | Remote': 'DE',
      '🇩🇪 🇫🇷': undefined,
      '🇧🇷 São Paulo': 'BR',
      'Paris and London': undefined,
    };
    for (const [place, country] of Object.entries(cases)) expect(countryOf(place, gazetteer), place).to.equal(country);
  });

  it('tells a state from a country of the same letters by the town before it', () => {
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
    for (const [place, country] of Object.entries(cases)) expect(countryOf(place, gazetteer), place).to.equal(country);
  });

  it('is quickly none for what is no place at all', () => {
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
      const started = performance.now();
      expect(countryOf(text, gazetteer), JSON.stringify(text.slice(0, 20))).to.equal(undefined);
      expect(performance.now() - started).to.be.below(2_000);
    }
  });
});
