import { at, type Random } from '../world/random.js';
import type { Repository } from '../world/repository.js';
import { follower, nextStargazer, teamMember } from './actors.js';
import type { DemoEvent, EventKind } from './demo-event.js';
import type { Stage } from './simulation.js';
import { startIssue, startPullRequest } from './threads.js';

/** Something that happens by itself; the rest of the events follow from such beginnings. */
export interface Spark {
  readonly kind: EventKind;
  /** How often, for 100 events in all; an issue brings about 3 events with it and a pull request about 5. */
  readonly share: number;
  /** Whether it comes with a repository's fame, or with the work on it, which is spread more evenly. */
  readonly drawnBy: 'fame' | 'work';
  /** Puts it, and what will follow, into the schedule. */
  readonly begin: (repository: Repository, seconds: number, stage: Stage) => void;
}

export const STAR: Spark = { kind: 'star', share: 30, drawnBy: 'fame', begin: alone('star', nextStargazer) };
export const ISSUE: Spark = { kind: 'issue opened', share: 3.6, drawnBy: 'work', begin: startIssue };
export const PULL_REQUEST: Spark = { kind: 'pull opened', share: 5.2, drawnBy: 'work', begin: startPullRequest };

export const SPARKS: readonly Spark[] = [
  STAR,
  ISSUE,
  PULL_REQUEST,
  { kind: 'fork', share: 4, drawnBy: 'fame', begin: alone('fork', anyFollower) },
  { kind: 'push', share: 23, drawnBy: 'work', begin: push },
  { kind: 'branch created', share: 2.4, drawnBy: 'work', begin: alone('branch created', teamMember) },
  { kind: 'branch deleted', share: 0.7, drawnBy: 'work', begin: alone('branch deleted', teamMember) },
  { kind: 'release', share: 0.6, drawnBy: 'work', begin: release },
  { kind: 'commit comment', share: 0.3, drawnBy: 'work', begin: alone('commit comment', anyFollower) },
  { kind: 'wiki edited', share: 0.3, drawnBy: 'work', begin: alone('wiki edited', teamMember) },
  { kind: 'member added', share: 0.15, drawnBy: 'work', begin: addMember },
];

/** A repository begins with its creation; some were private first. */
export function scheduleBirths({ repositories, schedule, random }: Stage): void {
  const born = repositories.filter((repository) => repository.firstDay >= 0);
  for (const [index, repository] of born.entries()) {
    const actor = at(repository.team, 0);
    schedule.add({ at: repository.createdAt, kind: 'repository created', repository, actor });
    const published = repository.createdAt + 60 + random.below(3600);
    if (index % 4 === 0) schedule.add({ at: published, kind: 'repository published', repository, actor });
  }
}

function alone(kind: EventKind, choose: (repository: Repository, random: Random) => DemoEvent['actor']) {
  return (repository: Repository, seconds: number, { random, schedule }: Stage): void =>
    schedule.add({ at: seconds, kind, repository, actor: choose(repository, random) });
}

function anyFollower(repository: Repository, random: Random): DemoEvent['actor'] {
  return follower(repository, 1, random);
}

function push(repository: Repository, seconds: number, { random, population, schedule }: Stage): void {
  const actor = random.chance(0.09) ? random.pick(population.bots) : teamMember(repository, random);
  schedule.add({ at: seconds, kind: 'push', repository, actor });
}

function release(repository: Repository, seconds: number, { random, population, schedule }: Stage): void {
  const actor = random.chance(0.2) ? random.pick(population.bots) : teamMember(repository, random);
  schedule.add({ at: seconds, kind: 'tag created', repository, actor });
  schedule.add({ at: seconds + 5, kind: 'release', repository, actor });
}

function addMember(repository: Repository, seconds: number, { random, schedule }: Stage): void {
  const member = follower(repository, 3, random);
  schedule.add({ at: seconds, kind: 'member added', repository, actor: at(repository.team, 0), member });
}
