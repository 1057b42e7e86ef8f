import { createRandom } from '../../demo/world/random.js';
import type { EventRepository, TrueEvent } from '../../test/github/event-truth.js';
import type { IssueRepository } from '../../test/github/issue-truth.js';
import type { Star, TrueRepository } from '../../test/github/star-truth.js';

export type MonthRepository = TrueRepository & IssueRepository & Required<EventRepository>;

/** A simulated month of GitHub. Two processes with the same plan, and so the same seed, create the same month. */
export interface MonthPlan {
  readonly seed: number;
  readonly repositories: number;
  readonly days: number;
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** The first hour of the month. */
export const START = Date.UTC(2026, 5, 1);
/** The time of the first event. Before the month begins, the archive contains all events. */
export const FIRST = START - 28 * DAY_MS;

/**
 * The number of events per day of the most active repository. The repository of rank n has n^-0.7 times as many; 1,000 repositories have
 * about 16,000 in total.
 */
const MOST_EVENTS = 700;
const PEOPLE = 20_000;
/** The share of stars that are removed later. */
const TAKEN_BACK = 0.03;
/** The shares of the event types; the remaining events are pushes. */
const SHARES = { WatchEvent: 0.4, IssuesEvent: 0.12, PullRequestEvent: 0.12, ForkEvent: 0.06 } as const;

/**
 * Creates repositories that are one to five years old, with stars, issues and pull requests, and with the events of the month and of the
 * days before it.
 */
export function createMonth({ seed, repositories, days }: MonthPlan): MonthRepository[] {
  const time = START + days * DAY_MS - FIRST;
  let nextEvent = 1_000;
  return Array.from({ length: repositories }, (_, index): MonthRepository => {
    const random = createRandom(seed, `repository ${index}`);
    const rate = MOST_EVENTS / (index + 1) ** 0.7;
    const age = (1 + 4 * random.unit()) * 365 * DAY_MS;
    const person = () => 1 + random.below(PEOPLE);
    const oldTimes = (items: number) =>
      Array.from({ length: Math.round(items) }, () => FIRST - age * random.unit() ** 2).sort((a, b) => a - b);
    const stars: Star[] = oldTimes(rate * SHARES.WatchEvent * 100).map((at) => ({ at: toSeconds(at) }));
    const numbered = oldTimes(rate * SHARES.IssuesEvent * 60).map((at, place) => ({
      number: place + 1,
      isPullRequest: random.chance(0.5),
      user: person(),
      openedAt: toSeconds(at),
    }));
    const times = Array.from({ length: Math.ceil((rate * time) / DAY_MS) }, () => FIRST + random.unit() * time);
    const events = times
      .sort((a, b) => a - b)
      .map((exact): TrueEvent => {
        const at = toSeconds(exact);
        const type = pickType(random.unit());
        const event = { id: nextEvent++, at, type, actor: person() };
        if (type === 'WatchEvent') {
          stars.push(random.chance(TAKEN_BACK) ? { at, until: at + 10 * DAY_MS * random.unit() } : { at });
        }
        if (type !== 'IssuesEvent' && type !== 'PullRequestEvent') return event;
        const number = numbered.length + 1;
        numbered.push({ number, isPullRequest: type === 'PullRequestEvent', user: event.actor, openedAt: at });
        return { ...event, number };
      });
    const id = index + 1;
    return { id, name: `owner-${id}/repo-${id}`, createdAt: FIRST - age, stars, issues: numbered, events };
  });
}

function pickType(place: number): TrueEvent['type'] {
  let sum = 0;
  for (const [type, share] of Object.entries(SHARES)) {
    sum += share;
    if (place < sum) return type as TrueEvent['type'];
  }
  return 'PushEvent';
}

function toSeconds(time: number): number {
  return Math.floor(time / 1_000) * 1_000;
}
