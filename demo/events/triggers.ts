import { at, type Random } from '../world/random.js';
import type { Repository } from '../world/repository.js';
import { pickFollower, pickNextStargazer, pickTeamMember } from './actors.js';
import type { DemoEvent, EventKind } from './demo-event.js';
import type { Simulation } from './simulation.js';
import { startIssue, startPullRequest } from './threads.js';

/** A kind of event that causes further events. Every event of the demo is a trigger or is caused by one. */
export interface Trigger {
  readonly kind: EventKind;
  /** Occurrences per 100 events. An issue causes about 3 more events and a pull request about 5. */
  readonly share: number;
  /** How the repository is selected: by its popularity (`fame`), or by the amount of work on it, which is distributed more evenly. */
  readonly selectedBy: 'fame' | 'work';
  /** Schedules the event and the events that it causes. */
  readonly begin: (repository: Repository, seconds: number, simulation: Simulation) => void;
}

export const STAR: Trigger = {
  kind: 'star',
  share: 30,
  selectedBy: 'fame',
  begin: scheduleSingle('star', pickNextStargazer),
};
export const ISSUE: Trigger = { kind: 'issue opened', share: 3.6, selectedBy: 'work', begin: startIssue };
export const PULL_REQUEST: Trigger = { kind: 'pull opened', share: 5.2, selectedBy: 'work', begin: startPullRequest };

export const TRIGGERS: readonly Trigger[] = [
  STAR,
  ISSUE,
  PULL_REQUEST,
  { kind: 'fork', share: 4, selectedBy: 'fame', begin: scheduleSingle('fork', pickAnyFollower) },
  { kind: 'push', share: 23, selectedBy: 'work', begin: schedulePush },
  { kind: 'branch created', share: 2.4, selectedBy: 'work', begin: scheduleSingle('branch created', pickTeamMember) },
  { kind: 'branch deleted', share: 0.7, selectedBy: 'work', begin: scheduleSingle('branch deleted', pickTeamMember) },
  { kind: 'release', share: 0.6, selectedBy: 'work', begin: scheduleRelease },
  { kind: 'commit comment', share: 0.3, selectedBy: 'work', begin: scheduleSingle('commit comment', pickAnyFollower) },
  { kind: 'wiki edited', share: 0.3, selectedBy: 'work', begin: scheduleSingle('wiki edited', pickTeamMember) },
  { kind: 'member added', share: 0.15, selectedBy: 'work', begin: scheduleMember },
];

/** Schedules the creation of repositories. Some are private at first and published later. */
export function scheduleBirths({ repositories, schedule, random }: Simulation): void {
  const born = repositories.filter((repository) => repository.firstDay >= 0);
  for (const [index, repository] of born.entries()) {
    const actor = at(repository.team, 0);
    schedule.add({ at: repository.createdAt, kind: 'repository created', repository, actor });
    const published = repository.createdAt + 60 + random.below(3600);
    if (index % 4 === 0) schedule.add({ at: published, kind: 'repository published', repository, actor });
  }
}

function scheduleSingle(kind: EventKind, choose: (repository: Repository, random: Random) => DemoEvent['actor']) {
  return (repository: Repository, seconds: number, { random, schedule }: Simulation): void =>
    schedule.add({ at: seconds, kind, repository, actor: choose(repository, random) });
}

function pickAnyFollower(repository: Repository, random: Random): DemoEvent['actor'] {
  return pickFollower(repository, 1, random);
}

function schedulePush(repository: Repository, seconds: number, { random, population, schedule }: Simulation): void {
  const actor = random.chance(0.09) ? random.pick(population.bots) : pickTeamMember(repository, random);
  schedule.add({ at: seconds, kind: 'push', repository, actor });
}

function scheduleRelease(repository: Repository, seconds: number, { random, population, schedule }: Simulation): void {
  const actor = random.chance(0.2) ? random.pick(population.bots) : pickTeamMember(repository, random);
  schedule.add({ at: seconds, kind: 'tag created', repository, actor });
  schedule.add({ at: seconds + 5, kind: 'release', repository, actor });
}

function scheduleMember(repository: Repository, seconds: number, { random, schedule }: Simulation): void {
  const member = pickFollower(repository, 3, random);
  schedule.add({ at: seconds, kind: 'member added', repository, actor: at(repository.team, 0), member });
}
