import { madeId } from '../warehouse/oracle-events.js';
import { listMoments, selectClock } from './clocks.js';
import { resolveRepositories } from './provisional.js';
import type { Moment, Sketch, SketchedEvent, SketchedThread } from './sketch.js';
import { dayOf, daysAfter, millisOf, timeOf } from './times.js';
import { COUNTRIES, LANGUAGES, LOGINS, NAMES, ORGANIZATIONS } from './word-lists.js';
import type { Account, Collection, Fact, NamedRepository, Profile, RepositoryDetails, Shape, World } from './world.js';

/**
 * Creates the world of a sketch. `worldIndex` keeps its names and ids distinct from those of other worlds in one
 * database.
 */
export function createWorld(sketch: Sketch, worldIndex: number): World {
  const builder = new WorldBuilder(sketch, worldIndex);
  const facts = builder.addDetails([
    ...sketch.events.flatMap((event) => builder.event(event)),
    ...sketch.threads.flatMap(builder.thread),
  ]);
  return {
    now: builder.now,
    facts: facts.flatMap(({ fact, times }) => Array<Fact>(times).fill(fact)),
    repeated: facts.filter(({ isRepeated }) => isRepeated).map(({ fact }) => fact),
    profiles: builder.profiles(),
    repositories: builder.repositories(),
    collections: sketch.collections.map((_, index) => builder.collection(index)),
    visits: builder.visits(),
    hiddenRepositories: sketch.repositories.flatMap((repository, index) =>
      repository.isHidden ? [builder.names(index)[0].toUpperCase()] : [],
    ),
    hiddenPeople: sketch.people.flatMap((person, index) => (person.isHidden ? [builder.logins(index)[0]] : [])),
  };
}

/** The maximum length of an owner in a request. */
const OWNER_LETTERS = 39;
const STARS = [4, 3, 49_999, 50_000];
const LARGE = 2n ** 53n;

/** Before 2015 the feed has no action for a review comment. */
function actionOf(type: SketchedEvent['type'], shape: Shape): string {
  if (type === 'WatchEvent') return 'started';
  return type.startsWith('PullRequestReview') && (shape === '2015' || shape === '2026') ? 'created' : '';
}

/** A fact and how often the files contain it. */
interface FactCopies {
  readonly fact: Fact;
  readonly times: number;
  readonly isRepeated: boolean;
}

class WorldBuilder {
  readonly now: string;
  readonly #sketch: Sketch;
  readonly #worldIndex: number;
  readonly #moments: readonly string[];

  constructor(sketch: Sketch, worldIndex: number) {
    this.now = selectClock(sketch.now);
    this.#sketch = sketch;
    this.#worldIndex = worldIndex;
    this.#moments = listMoments(this.now);
  }

  event({ type, shape, at, repository, person, times, isRepeated }: SketchedEvent): FactCopies[] {
    const action = actionOf(type, shape);
    const fact = this.#fact({ type, shape, action, time: this.#time(at), repository, person, number: 0 });
    return [{ fact, times, isRepeated }];
  }

  readonly thread = (thread: SketchedThread, index: number): FactCopies[] => {
    const { type, shape, at, repository, person, times, isRepeated, hasNumber, isOpeningSeen, ends } = thread;
    const isTimeline = shape === '2012' || shape === '2013';
    const number = isTimeline && !hasNumber ? -(index + 1) : index + 1;
    const start = this.#time(at);
    const about = { type, shape, repository, number };
    const opener = shape === '2015' ? this.#account(person, shape, start) : undefined;
    const creator = opener?.id === 0n ? undefined : opener;
    const opened = { ...this.#fact({ ...about, action: 'opened', time: start, person }), creator };
    const copies = isOpeningSeen ? [{ fact: opened, times, isRepeated }] : [];
    for (const end of ends) {
      if (end.action === 'merged' && (type === 'IssuesEvent' || shape === '2011')) continue;
      const time = timeOf(millisOf(start) + end.seconds * 1000);
      const late = shape === '2026' ? 0 : end.late * 1000;
      const mergedAt = end.action === 'merged' ? timeOf(millisOf(time) - late) : undefined;
      const ending = { ...about, action: end.action, time, person: end.person };
      // Some merges occur only in a review.
      const isReviewed = end.action === 'merged' && shape === '2015' && !hasNumber;
      const review = { ...ending, type: 'PullRequestReviewCommentEvent', action: 'created' } as const;
      const fact = { ...this.#fact(isReviewed ? review : ending), creator, mergedAt };
      copies.push({ fact, times: end.times, isRepeated: false });
    }
    return copies;
  };

  /** In the format without ids, details belong to the repository to which the name resolves. */
  addDetails(copies: readonly FactCopies[]): FactCopies[] {
    const resolved = resolveRepositories(copies.map(({ fact }) => fact));
    return copies.map((copy, index) => {
      const { fact } = copy;
      const id = resolved[index]?.details;
      if (fact.shape !== '2012' || id === undefined || id < 0n) return copy;
      const repositoryIndex = this.#sketch.repositories.findIndex(
        (_, repository) => this.#repositoryId(repository) === id,
      );
      return { ...copy, fact: { ...fact, details: this.#details(repositoryIndex) } };
    });
  }

  profiles(): Map<bigint, Profile> {
    const enriched = this.#sketch.people.flatMap(({ isEnriched }, index) =>
      isEnriched ? [[this.#personId(index), this.#profile(index)] as const] : [],
    );
    return new Map(enriched);
  }

  repositories(): World['repositories'] {
    const enriched = this.#sketch.repositories.flatMap(({ isEnriched, isDeleted, isAgeKnown }, index) => {
      const { createdAt, ...details } = this.#details(index);
      const repository = { ...details, isDeleted, createdAt: isAgeKnown ? createdAt : undefined };
      return isEnriched ? [[this.#repositoryId(index), repository] as const] : [];
    });
    return new Map(enriched);
  }

  collection(index: number): Collection {
    const { isPublic = true, repositories = [] } = this.#sketch.collections[index] ?? {};
    const places = [...new Set(repositories.map((repository) => repository % this.#sketch.repositories.length))];
    return {
      id: this.#collectionId(index),
      name: `Collection ${this.#worldIndex} 🧺 ${index}`,
      isPublic,
      items: places
        .filter((repository) => this.#repositoryId(repository) <= LARGE)
        .map((repository) => ({ name: this.names(repository)[0], id: this.#repositoryId(repository) })),
    };
  }

  visits(): World['visits'] {
    const days = this.#sketch.collections.flatMap(({ visits }, index) =>
      visits.map((visit) => ({
        collection: this.#collectionId(index),
        day: daysAfter(dayOf(this.now), -visit.daysAgo),
        visits: visit.visits,
      })),
    );
    return [...new Map(days.map((visit) => [`${visit.collection} ${visit.day}`, visit])).values()];
  }

  /** The names of a repository before and after its rename. */
  names(index: number): readonly [string, string] {
    const { name = 0, newName = 0 } = this.#sketch.repositories[index] ?? {};
    const owner = `owner${this.#worldIndex}`.padEnd(OWNER_LETTERS, '-owner');
    const named = (nameIndex: number) => `${owner}/${NAMES[nameIndex % NAMES.length]}`;
    return [named(name), newName < NAMES.length ? named(newName) : named(name)];
  }

  logins(index: number): readonly [string, string] {
    const { login = 0, newLogin = 0 } = this.#sketch.people[index] ?? {};
    return [
      this.#login(login, index),
      newLogin < LOGINS.length ? this.#login(newLogin, index) : this.#login(login, index),
    ];
  }

  #login(login: number, index: number): string {
    return (LOGINS[login] ?? '').replace('#', `${this.#worldIndex}-${index}`);
  }

  #fact(facts: {
    type: Fact['type'];
    shape: Shape;
    action: string;
    time: string;
    repository: number;
    person: number;
    number: number;
  }): Fact {
    const { type, shape, action, time, number } = facts;
    const repository = facts.repository % this.#sketch.repositories.length;
    const named = this.#repository(repository, shape, time);
    const isTimeline = shape === '2012' || shape === '2013';
    const hasDetails = isTimeline || (shape === '2015' && type === 'PullRequestEvent');
    const actor = this.#account(facts.person, shape, time);
    const person = facts.person % this.#sketch.people.length;
    return {
      shape,
      type,
      action,
      at: time,
      repository: named,
      actor,
      number,
      creator: undefined,
      mergedAt: undefined,
      details: hasDetails
        ? this.#details(shape === '2012' ? this.#findFirstByName(named.name) : repository)
        : undefined,
      profile: isTimeline && actor.id !== 0n && actor.login !== 'talbot' ? this.#feedProfile(person) : undefined,
    };
  }

  #time({ moment, seconds }: Moment): string {
    return timeOf(millisOf(this.#moments[moment % this.#moments.length] ?? this.now) + seconds * 1000);
  }

  /** The format of 2012 and 2013 has logins without ids. Their ids are derived from the logins. */
  #account(person: number, shape: Shape, time: string): Account {
    if (person < 0) return { id: 0n, login: '' };
    const index = person % this.#sketch.people.length;
    const [before, after] = this.logins(index);
    const login = time < (this.#moments[3] ?? '') ? before : after;
    const isTimeline = shape === '2012' || shape === '2013';
    return { id: isTimeline ? BigInt(madeId(login)) : this.#personId(index), login };
  }

  #repository(index: number, shape: Shape, time: string): NamedRepository {
    const { renamed = { moment: 0, seconds: 0 } } = this.#sketch.repositories[index] ?? {};
    const name = this.names(index)[time < this.#time(renamed) ? 0 : 1];
    return { id: shape === '2012' ? BigInt(madeId(name)) : this.#repositoryId(index), name };
  }

  /** For repositories that never appear with an id, details belong to the first repository with the name. */
  #findFirstByName(name: string): number {
    const isSame = (other: string) => other.toLowerCase() === name.toLowerCase();
    return this.#sketch.repositories.findIndex((_, index) => this.names(index).some(isSame));
  }

  #personId(index: number): bigint {
    const id = BigInt(this.#worldIndex * 100 + index + 1);
    return this.#sketch.people[index]?.hasLargeId ? LARGE + id : id;
  }

  #repositoryId(index: number): bigint {
    const id = BigInt(this.#worldIndex * 100 + index + 1);
    return this.#sketch.repositories[index]?.hasLargeId ? LARGE + id : id;
  }

  #collectionId(index: number): number {
    return this.#worldIndex * 10 + index + 1;
  }

  #profile(index: number): Profile {
    const { organization = 0, country = 0 } = this.#sketch.people[index] ?? {};
    return {
      name: `Person ${index} 🙂`,
      organization: ORGANIZATIONS[organization] ?? '',
      country: COUNTRIES[country] ?? '',
    };
  }

  /** The feed contains a location, not a code: only codes with such a location occur. */
  #feedProfile(index: number): Profile {
    const profile = this.#profile(index);
    return { ...profile, country: /^[A-Z]{2}$/.test(profile.country) ? profile.country : '' };
  }

  #details(index: number): RepositoryDetails {
    const {
      language = 0,
      popularity = 0,
      created = { moment: 0, seconds: 0 },
    } = this.#sketch.repositories[index] ?? {};
    return {
      language: LANGUAGES[language] ?? '',
      description: language === 0 ? '' : `About ${this.names(index)[0]}`,
      createdAt: this.#time(created),
      stars: STARS[popularity] ?? 0,
      forks: 2,
    };
  }
}
