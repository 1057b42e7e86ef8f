import { madeId } from '../warehouse/oracle-events.js';
import { listMoments, selectClock } from './clocks.js';
import { resolveRepositories } from './provisional.js';
import type { Moment, Sketch, SketchedEvent, SketchedThread } from './sketch.js';
import { dayOf, daysAfter, millisOf, timeOf } from './times.js';
import { COUNTRIES, LANGUAGES, ORGANIZATIONS } from './word-lists.js';
import type {
  Account,
  Collection,
  Fact,
  ListedThread,
  NamedRepository,
  Profile,
  RepositoryDetails,
  Shape,
  World,
} from './world.js';
import { LARGEST_EXACT_ID, WorldIdentities } from './world-identities.js';

/** Creates the world of a sketch. With `worldIndex`, its names and ids differ from those of the other worlds in the same database. */
export function createWorld(sketch: Sketch, worldIndex: number): World {
  const identities = new WorldIdentities(sketch, worldIndex);
  const builder = new WorldBuilder(sketch, worldIndex, identities);
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
    counts: builder.counts(),
    lists: builder.lists(),
    collections: sketch.collections.map((_, index) => builder.collection(index)),
    visits: builder.visits(),
    hiddenRepositories: sketch.repositories.flatMap((repository, index) =>
      repository.isHidden ? [identities.names(index)[0].toUpperCase()] : [],
    ),
    hiddenPeople: sketch.people.flatMap((person, index) => (person.isHidden ? [identities.logins(index)[0]] : [])),
  };
}

const STARS = [4, 3, 49_999, 50_000];

/** Returns the action of an event. Before 2015, events about review comments have no action. */
function actionOf(type: SketchedEvent['type'], shape: Shape): string {
  if (type === 'WatchEvent') return 'started';
  return type.startsWith('PullRequestReview') && (shape === '2015' || shape === '2026') ? 'created' : '';
}

/** A fact, the number of its copies in the first file, and whether the second file contains it again. */
interface FactCopies {
  readonly fact: Fact;
  readonly times: number;
  readonly isRepeated: boolean;
}

class WorldBuilder {
  readonly now: string;
  readonly #sketch: Sketch;
  readonly #worldIndex: number;
  readonly #identities: WorldIdentities;
  readonly #moments: readonly string[];

  constructor(sketch: Sketch, worldIndex: number, identities: WorldIdentities) {
    this.now = selectClock(sketch.now);
    this.#sketch = sketch;
    this.#worldIndex = worldIndex;
    this.#identities = identities;
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
      // Some merges occur only in a review event.
      const isReviewed = end.action === 'merged' && shape === '2015' && !hasNumber;
      const review = { ...ending, type: 'PullRequestReviewCommentEvent', action: 'created' } as const;
      const fact = { ...this.#fact(isReviewed ? review : ending), creator, mergedAt };
      copies.push({ fact, times: end.times, isRepeated: false });
    }
    return copies;
  };

  /** Adds the repository's details to facts without a repository id. The repository is the one to which the name resolves. */
  addDetails(copies: readonly FactCopies[]): FactCopies[] {
    const resolved = resolveRepositories(copies.map(({ fact }) => fact));
    return copies.map((copy, index) => {
      const { fact } = copy;
      const id = resolved[index]?.details;
      if (fact.shape !== '2012' || id === undefined || id < 0n) return copy;
      const repositoryIndex = this.#sketch.repositories.findIndex(
        (_, repository) => this.#identities.repositoryId(repository) === id,
      );
      return { ...copy, fact: { ...fact, details: this.#details(repositoryIndex) } };
    });
  }

  profiles(): Map<bigint, Profile> {
    const enriched = this.#sketch.people.flatMap(({ isEnriched }, index) =>
      isEnriched ? [[this.#identities.personId(index), this.#profile(index)] as const] : [],
    );
    return new Map(enriched);
  }

  repositories(): World['repositories'] {
    const enriched = this.#sketch.repositories.flatMap(({ isEnriched, isDeleted, isAgeKnown }, index) => {
      const { createdAt, ...details } = this.#details(index);
      const repository = { ...details, isDeleted, createdAt: isAgeKnown ? createdAt : undefined };
      return isEnriched ? [[this.#identities.repositoryId(index), repository] as const] : [];
    });
    return new Map(enriched);
  }

  counts(): World['counts'] {
    const counted = this.#sketch.repositories.flatMap(({ counts }, index) => {
      if (counts === undefined) return [];
      const days = new Map(counts.days.map(({ at, stars }) => [dayOf(this.#time(at)), stars]));
      return [[this.#identities.repositoryId(index), { until: dayOf(this.#time(counts.until)), days }] as const];
    });
    return new Map(counted);
  }

  lists(): World['lists'] {
    const listed = this.#sketch.repositories.flatMap(({ isListed }, index) => {
      const threads = this.#sketch.threads.flatMap((thread, place) =>
        thread.repository % this.#sketch.repositories.length === index ? this.#listed(thread, place) : [],
      );
      return isListed === true
        ? [[this.#identities.repositoryId(index), { until: dayOf(this.now), threads }] as const]
        : [];
    });
    return new Map(listed);
  }

  #listed({ type, shape, at, person, hasNumber, ends }: SketchedThread, index: number): ListedThread[] {
    if (!hasNumber && (shape === '2012' || shape === '2013')) return [];
    const openedAt = this.#time(at);
    const [merge] = type === 'IssuesEvent' ? [] : ends.filter(({ action }) => action === 'merged');
    return [
      {
        type,
        number: index + 1,
        user: person < 0 ? 0n : this.#identities.personId(person % this.#sketch.people.length),
        openedAt,
        mergedAt: merge && timeOf(millisOf(openedAt) + merge.seconds * 1000),
      },
    ];
  }

  collection(index: number): Collection {
    const { isPublic = true, repositories = [] } = this.#sketch.collections[index] ?? {};
    const indexes = [...new Set(repositories.map((repository) => repository % this.#sketch.repositories.length))];
    return {
      id: this.#identities.collectionId(index),
      name: `Collection ${this.#worldIndex} 🧺 ${index}`,
      isPublic,
      items: indexes
        .filter((repository) => this.#identities.repositoryId(repository) <= LARGEST_EXACT_ID)
        .map((repository) => ({
          name: this.#identities.names(repository)[0],
          id: this.#identities.repositoryId(repository),
        })),
    };
  }

  visits(): World['visits'] {
    const days = this.#sketch.collections.flatMap(({ visits }, index) =>
      visits.map((visit) => ({
        collection: this.#identities.collectionId(index),
        day: daysAfter(dayOf(this.now), -visit.daysAgo),
        visits: visit.visits,
      })),
    );
    return [...new Map(days.map((visit) => [`${visit.collection} ${visit.day}`, visit])).values()];
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
        ? this.#details(shape === '2012' ? this.#identities.findFirstByName(named.name) : repository)
        : undefined,
      profile: isTimeline && actor.id !== 0n ? this.#feedProfile(person, actor) : undefined,
    };
  }

  #time({ moment, seconds }: Moment): string {
    return timeOf(millisOf(this.#moments[moment % this.#moments.length] ?? this.now) + seconds * 1000);
  }

  /** In the formats of 2012 and 2013, accounts have no ids, so the service derives ids from the logins. */
  #account(person: number, shape: Shape, time: string): Account {
    if (person < 0) return { id: 0n, login: '' };
    const index = person % this.#sketch.people.length;
    const [before, after] = this.#identities.logins(index);
    const login = time < (this.#moments[3] ?? '') ? before : after;
    const isTimeline = shape === '2012' || shape === '2013';
    return { id: isTimeline ? BigInt(madeId(login)) : this.#identities.personId(index), login };
  }

  #repository(index: number, shape: Shape, time: string): NamedRepository {
    const { renamed = { moment: 0, seconds: 0 } } = this.#sketch.repositories[index] ?? {};
    const name = this.#identities.names(index)[time < this.#time(renamed) ? 0 : 1];
    return { id: shape === '2012' ? BigInt(madeId(name)) : this.#identities.repositoryId(index), name };
  }

  #profile(index: number): Profile {
    const { organization = 0, country = 0 } = this.#sketch.people[index] ?? {};
    return {
      name: `Person ${index} 🙂`,
      organization: ORGANIZATIONS[organization] ?? '',
      country: COUNTRIES[country] ?? '',
    };
  }

  /**
   * Returns the profile in the feed. The feed contains a location instead of a country code; texts that are not a code become empty. The
   * person `talbot` occurs in several worlds, so the profiles must be equal.
   */
  #feedProfile(index: number, { login }: Account): Profile {
    if (login === 'talbot') return { name: '', organization: '', country: '' };
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
      description: language === 0 ? '' : `About ${this.#identities.names(index)[0]}`,
      createdAt: this.#time(created),
      stars: STARS[popularity] ?? 0,
      forks: 2,
    };
  }
}
