import { COUNTRY_CHOICE } from './countries.js';
import type { Names } from './names.js';
import { at, type Random } from './random.js';

/** Who acts or owns: what an event tells of a person, a bot or an organisation. */
export interface Account {
  readonly id: number;
  readonly login: string;
  readonly type: 'User' | 'Bot' | 'Organization';
}

export interface Person extends Account {
  readonly type: 'User';
  /** Index into COUNTRIES; told in the profile of only some. */
  readonly country: number;
  /** How readily the person takes part in anything, from 0.4 to 1. */
  readonly eagerness: number;
}

export interface Population {
  readonly people: readonly Person[];
  readonly bots: readonly Account[];
}

/** The highest id of an account: the platform's ids of accounts still fit a signed 32-bit integer. */
const HIGHEST_ACCOUNT_ID = 230_000_000;

export function createPopulation(size: number, names: Names, random: Random): Population {
  const bots = [
    bot('renovate-demo[bot]', 'Bot', 29_000_001),
    bot('ci-helper[bot]', 'Bot', 41_000_003),
    bot('translation-sync[bot]', 'Bot', 52_000_007),
    bot('release-bot', 'User', 17_000_009),
    bot('docs-deploy-bot', 'User', 33_000_011),
  ];
  for (const { login } of bots) names.reserve(login);
  // Human, although the login ends in "bot": what a rule that looks only at the ending gets wrong.
  const humans = [names.reserve('talbot'), names.reserve('Jeanne-Abbot')];
  const stride = Math.floor(HIGHEST_ACCOUNT_ID / (size + 1));
  const people = Array.from(
    { length: size },
    (_, index): Person => ({
      // Even ids, so that none meets a bot's or an organisation's, which are odd.
      id: 2 * Math.floor((1000 + index * stride + random.below(stride - 1)) / 2),
      login: humans[index] ?? names.login(),
      type: 'User',
      country: COUNTRY_CHOICE.draw(random),
      eagerness: 0.4 + 0.6 * random.unit(),
    }),
  );
  return { people, bots };
}

/** The order in which a repository is found by people: each of them once before anybody a second time. */
export class PeopleOrder {
  readonly #people: readonly Person[];
  readonly #step: number;
  readonly #offset: number;

  constructor(people: readonly Person[], random: Random) {
    this.#people = people;
    this.#offset = random.below(people.length);
    // Steps without a common divisor with the number of people visit every person before any a second time.
    let step = 1 + random.below(people.length);
    while (greatestCommonDivisor(step, people.length) !== 1) step++;
    this.#step = step;
  }

  get length(): number {
    return this.#people.length;
  }

  at(place: number): Person {
    return at(this.#people, (this.#offset + this.#step * place) % this.#people.length);
  }
}

function bot(login: string, type: 'User' | 'Bot', id: number): Account {
  return { id, login, type };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
