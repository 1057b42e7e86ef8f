import { isBot } from './bots.js';
import { countedDays } from './counts.js';
import type { Row } from './creators.js';
import { formatDecimal } from './decimal.js';
import { DAY_MS, dayOf, fullYears, millisOf, monthsBefore, timeOf } from './times.js';
import { compare, groupBy, type KnownRepository, type Universe } from './universe.js';
import type { Fact } from './world.js';

/** The length of each period in days. */
export const TREND_DAYS = { past_24_hours: 1, past_week: 7, past_month: 30, past_3_months: 90 } as const;
export type TrendPeriod = keyof typeof TREND_DAYS;

const MAX_ROWS = 100;
const CONTRIBUTORS = 5;
const POPULAR_STARS = 50_000;

/** Returns the repositories with the highest scores in the period before `now`, for one language or for `All`. */
export function computeTrends(universe: Universe, period: TrendPeriod, language: string, now: string): Row[] {
  return computeAllTrends(universe, period, now)
    .filter((trend) => language === 'All' || trend.repository.language === language)
    .slice(0, MAX_ROWS)
    .map((trend) => trend.row);
}

interface Trend {
  readonly repository: KnownRepository;
  readonly score: string;
  readonly row: Row;
}

function computeAllTrends(universe: Universe, period: TrendPeriod, now: string): Trend[] {
  return [...universe.repositories.values()]
    .flatMap((repository) => computeTrend(universe, repository, TREND_DAYS[period], now) ?? [])
    .sort((a, b) => Number(b.score) - Number(a.score) || (a.repository.id < b.repository.id ? -1 : 1));
}

function computeTrend(universe: Universe, repository: KnownRepository, days: number, now: string): Trend | undefined {
  const start = timeOf(millisOf(now) - days * DAY_MS);
  const facts = repository.facts.filter(({ at }) => at > start && at <= now);
  const forks = facts.filter(({ type }) => type === 'ForkEvent');
  const starEvents = facts.filter(({ type }) => type === 'WatchEvent');
  const byDay = starsWithoutTime(repository).filter(({ at }) => at > start && at <= now);
  const stars = [...starEvents, ...byDay];
  if (!isEligible(universe, repository, now) || stars.length === 0 || !isHonest(starEvents)) return undefined;
  if (repository.stars >= POPULAR_STARS && stars.length * 100 <= repository.stars) return undefined;
  const score = computeScore(stars, isHonest(forks) ? forks : [], repository, { start, days, now });
  const byPeople = (type: Fact['type'], action: string) =>
    facts.filter((fact) => fact.type === type && fact.action === action && isPerson(universe, fact)).length;
  const row = [
    String(repository.id),
    repository.name,
    repository.language,
    repository.description,
    String(stars.length),
    String(forks.length),
    String(byPeople('PullRequestEvent', 'opened') || ''),
    String(byPeople('PushEvent', '') || ''),
    score,
    findContributors(universe, facts).join(','),
    findCollectionNames(universe, repository).join(','),
  ];
  return { repository, score, row };
}

/** Returns the stars that GitHub counts on a day but that are not in its events. The time of these stars is noon of that day. */
function starsWithoutTime({ counts, facts }: KnownRepository): { readonly at: string }[] {
  if (counts === undefined) return [];
  return [...groupBy(countedDays(counts), (day) => day)].flatMap(([day, counted]) => {
    const people = new Set(
      facts
        .filter(({ type, at, actor }) => type === 'WatchEvent' && dayOf(at) === day && actor.id !== 0n)
        .map(({ actor }) => actor.id),
    );
    return counted.slice(people.size).map(() => ({ at: `${day} 12:00:00` }));
  });
}

/**
 * Whether trends may list the repository: it has more than 5 stars and forks in total, was pushed within 3 months, is
 * older than a day, and is neither deleted nor hidden. An unknown time of the last push or of the creation is accepted.
 */
function isEligible(universe: Universe, repository: KnownRepository, now: string): boolean {
  const { createdAt, pushedAt, stars, forks, isDeleted, name } = repository;
  return (
    stars + forks > 5 &&
    (pushedAt === undefined || pushedAt >= monthsBefore(now, 3)) &&
    (createdAt === undefined || createdAt < timeOf(millisOf(now) - DAY_MS)) &&
    !isDeleted &&
    !universe.hiddenRepositories.has(name.toLowerCase())
  );
}

/**
 * Whether the events have more than 0.9 distinct actors per event, so that they are probably genuine. Events without an actor are ignored.
 * A list in which no event has an actor is accepted.
 */
function isHonest(events: readonly Fact[]): boolean {
  const named = events.filter(({ actor }) => actor.id !== 0n);
  if (named.length === 0) return true;
  return new Set(named.map(({ actor }) => actor.id)).size * 10 > named.length * 9;
}

/**
 * Computes Σ stars (2 + 3f) + Σ forks (1 + 3f) + 200 ÷ (1 + full years of age), from whole seconds and with a single rounding. If the age
 * of the repository is unknown, the last term is omitted.
 */
function computeScore(
  stars: readonly { readonly at: string }[],
  forks: readonly Fact[],
  { createdAt }: KnownRepository,
  { start, days, now }: { readonly start: string; readonly days: number; readonly now: string },
): string {
  const length = (days * DAY_MS) / 1000;
  const ages = [...stars, ...forks].map(({ at }) => (millisOf(at) - millisOf(start)) / 1000);
  const top = length * (2 * stars.length + forks.length) + 3 * ages.reduce((sum, age) => sum + age, 0);
  if (createdAt === undefined) return formatDecimal(BigInt(top), BigInt(length), 4);
  const years = fullYears(createdAt, now);
  return formatDecimal(BigInt(top * (1 + years) + 200 * length), BigInt(length * (1 + years)), 4);
}

/**
 * Whether the actor is a person and not a bot, by its current login. The lists of creators also use the current login.
 */
function isPerson({ users }: Universe, { actor }: Fact): boolean {
  return !isBot(users.get(actor.id)?.login ?? '');
}

function findContributors(universe: Universe, facts: readonly Fact[]): string[] {
  const logins = facts
    .filter((fact) => isContribution(fact) && isPerson(universe, fact))
    .map(({ actor }) => universe.users.get(actor.id)?.login ?? '')
    .filter((login) => login !== '' && !universe.hiddenPeople.has(login.toLowerCase()));
  return [...groupBy(logins, (login) => login)]
    .sort(([a, own], [b, other]) => other.length - own.length || compare(a, b))
    .slice(0, CONTRIBUTORS)
    .map(([login]) => login);
}

/**
 * Whether an event counts as a contribution. Stars, forks and comments on issues do not count. Review comments before 2015 have no action.
 */
function isContribution({ type, action }: Fact): boolean {
  switch (type) {
    case 'PushEvent':
      return true;
    case 'IssuesEvent':
    case 'PullRequestEvent':
      return action === 'opened';
    case 'PullRequestReviewEvent':
    case 'PullRequestReviewCommentEvent':
      return action === 'created' || action === '';
    default:
      return false;
  }
}

function findCollectionNames(universe: Universe, { id }: KnownRepository): string[] {
  return universe.collections
    .filter(({ isPublic, items }) => isPublic && items.some((item) => item.id === id))
    .map(({ name }) => name)
    .sort(compare);
}
