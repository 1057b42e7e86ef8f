import { createRandom } from '../../demo/world/random.js';
import { archivedLine } from '../../test/github/event-truth.js';
import { DAY_MS, HOUR_MS, type MonthRepository, START } from './true-month.js';

/** The share of the events of the month that the archive contains, by type. */
const KEPT: Readonly<Record<string, number>> = {
  WatchEvent: 0.03,
  IssuesEvent: 0.1,
  PullRequestEvent: 0.1,
  ForkEvent: 0.1,
  PushEvent: 1,
};
/** The number of pushes per hour in other repositories. */
const OTHER_PUSHES = 100;
const OTHER_ID = 1e9;

/** Returns the lines of a day, by the start of their hour in milliseconds since 1970. */
export function archiveDay(repositories: readonly MonthRepository[], day: number): ReadonlyMap<number, string[]> {
  const random = createRandom(day / DAY_MS, 'archive');
  const hours = new Map(
    Array.from({ length: 24 }, (_, index) => [day + index * HOUR_MS, otherPushes(day + index * HOUR_MS)]),
  );
  for (const repository of repositories) {
    for (const event of repository.events) {
      const kept = day < START ? 1 : (KEPT[event.type] ?? 1);
      if (event.at < day || event.at >= day + DAY_MS || !random.chance(kept)) continue;
      hours.get(event.at - (event.at % HOUR_MS))?.push(archivedLine(repository, event));
    }
  }
  return hours;
}

function otherPushes(hour: number): string[] {
  return Array.from({ length: OTHER_PUSHES }, (_, index) => {
    const id = OTHER_ID + (hour / HOUR_MS) * OTHER_PUSHES + index;
    const repository = { id: OTHER_ID + index, name: `other/repo-${index}` };
    return archivedLine(repository, { id, at: hour + index * 1_000, type: 'PushEvent', actor: OTHER_ID + index });
  });
}
