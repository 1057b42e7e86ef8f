import { COUNTRY_CHOICE } from './countries.js';
import type { Names } from './names.js';
import { at, type Random } from './random.js';

/** An actor or owner with the fields that events contain. */
export interface Account {
  readonly id: number;
  readonly login: string;
  readonly type: 'User' | 'Bot' | 'Organization';
}

export interface Person extends Account {
  readonly type: 'User';
  /** The index of the country in COUNTRIES. Only some profiles contain the country. */
  readonly country: number;
  /** The activity of the person, as a weight from 0.4 to 1. */
  readonly eagerness: number;
}

export interface Population {
  readonly people: readonly Person[];
  readonly bots: readonly Account[];
}

/** The highest account id. GitHub's account ids still fit into a signed 32-bit integer. */
const HIGHEST_ACCOUNT_ID = 230_000_000;

export function createPopulation(size: number, names: Names, random: Random): Population {
  const bots = [
    createBot('renovate-demo[bot]', 'Bot', 29_000_001),
    createBot('ci-helper[bot]', 'Bot', 41_000_003),
    createBot('translation-sync[bot]', 'Bot', 52_000_007),
    createBot('release-bot', 'User', 17_000_009),
    createBot('docs-deploy-bot', 'User', 33_000_011),
  ];
  for (const { login } of bots) names.reserve(login);
  // People whose logins end in "bot". A rule that only checks the ending would classify them as bots.
  const humans = [names.reserve('talbot'), names.reserve('Jeanne-Abbot')];
  const stride = Math.floor(HIGHEST_ACCOUNT_ID / (size + 1));
  const people = Array.from(
    { length: size },
    (_, index): Person => ({
      // People have even ids; bots and organizations have odd ids.
      id: 2 * Math.floor((1000 + index * stride + random.below(stride - 1)) / 2),
      login: humans[index] ?? names.login(),
      type: 'User',
      country: COUNTRY_CHOICE.draw(random),
      eagerness: 0.4 + 0.6 * random.unit(),
    }),
  );
  return { people, bots };
}

/** The order in which people discover a repository. Every person occurs once before anyone occurs a second time. */
export class AudienceOrder {
  readonly #people: readonly Person[];
  readonly #step: number;
  readonly #offset: number;

  constructor(people: readonly Person[], random: Random) {
    this.#people = people;
    this.#offset = random.below(people.length);
    // If the step and the number of people are coprime, every person occurs once before anyone occurs a second time.
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

function createBot(login: string, type: 'User' | 'Bot', id: number): Account {
  return { id, login, type };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
