import type { Account } from '../world/population.js';
import type { Random } from '../world/random.js';
import type { Repository } from '../world/repository.js';
import { createBranchName, createIssueTitle, createPullRequestTitle } from '../world/texts.js';
import { pickFollower, pickOtherTeamMember, pickTeamMember } from './actors.js';
import type { DemoEvent, Thread } from './demo-event.js';
import type { Simulation } from './simulation.js';

const HOUR = 3600;

/** Schedules an issue and its later events: comments, usually the closing, sometimes a reopening. */
export function startIssue(repository: Repository, seconds: number, simulation: Simulation): void {
  const { random, population } = simulation;
  const opener = random.chance(0.04)
    ? random.pick(population.bots)
    : random.chance(0.2)
      ? pickTeamMember(repository, random)
      : pickFollower(repository, 1.6, random);
  const thread = createThread(repository, opener, seconds, createIssueTitle(random), random);
  const add = createScheduler(thread, simulation);
  add('issue opened', seconds, opener);
  let last = scheduleComments(thread, 'issue comment', seconds, 1.4, 20 * HOUR, simulation);
  if (!random.chance(0.82)) return;
  last += 60 + random.delay(60 * HOUR);
  add('issue closed', last, random.chance(0.7) ? pickTeamMember(repository, random) : opener);
  if (!random.chance(0.04)) return;
  last += 60 + random.delay(50 * HOUR);
  add('issue reopened', last, opener);
  add('issue closed', last + 60 + random.delay(40 * HOUR), pickTeamMember(repository, random));
}

/** Schedules a pull request and its other events: its branch, reviews and comments, then usually a merge or the closing. */
export function startPullRequest(repository: Repository, seconds: number, simulation: Simulation): void {
  const { random, population } = simulation;
  const isBot = random.chance(0.13);
  const isOutsider = !isBot && random.chance(0.45);
  const opener = isBot
    ? random.pick(population.bots.slice(0, 3))
    : isOutsider
      ? pickFollower(repository, 2.2, random)
      : pickTeamMember(repository, random);
  const hasBranch = !isOutsider && random.chance(0.5);
  const opened = hasBranch ? seconds + 1 + random.below(30) : seconds;
  const thread = createThread(repository, opener, opened, createPullRequestTitle(isBot, random), random, isOutsider);
  const add = createScheduler(thread, simulation);
  if (hasBranch) add('branch created', seconds, opener);
  add('pull opened', opened, opener);
  const lastComment = scheduleComments(thread, 'pull comment', opened, isOutsider ? 1.1 : 0.7, 5 * HOUR, simulation);
  let last = Math.max(lastComment, scheduleReviews(thread, opened, simulation));
  if (!random.chance(0.94)) return;
  last += 60 + random.delay((isOutsider ? 30 : 6) * HOUR);
  const closer = isOutsider || isBot ? pickTeamMember(repository, random) : opener;
  if (!random.chance(isOutsider ? 0.6 : 0.76)) {
    add('pull closed', last, random.chance(0.5) ? opener : closer);
    return;
  }
  add('pull merged', last, closer);
  if (random.chance(0.5)) add('push', last + 1, closer);
  if (!isOutsider && random.chance(0.6)) add('branch deleted', last + 3, closer);
}

function createThread(
  repository: Repository,
  opener: Account,
  openedAt: number,
  title: string,
  random: Random,
  isOutsider = false,
): Thread {
  const additions = Math.ceil(random.delay(24));
  return {
    repository,
    opener,
    isOutsider,
    openedAt,
    title,
    branch: createBranchName(random),
    additions,
    deletions: Math.floor(additions * random.unit()),
    changedFiles: 1 + Math.floor(additions / 60) + random.below(4),
    commits: 1 + Math.floor(random.delay(0.8)),
    number: 0,
    id: 0,
    head: '',
    comments: 0,
    reviewComments: 0,
    closedAt: null,
    mergedAt: null,
  };
}

function createScheduler(thread: Thread, { schedule }: Simulation) {
  const { repository } = thread;
  return (kind: DemoEvent['kind'], at: number, actor: Account): void =>
    schedule.add({ at: Math.floor(at), kind, repository, actor, thread });
}

/** Schedules comments of the team, the opener, bots and other people; on average `mean` comments. Returns the time of the last comment. */
function scheduleComments(
  thread: Thread,
  kind: 'issue comment' | 'pull comment',
  from: number,
  mean: number,
  median: number,
  simulation: Simulation,
): number {
  const { random, population } = simulation;
  const { repository, opener } = thread;
  const add = createScheduler(thread, simulation);
  let last = from;
  // A geometric distribution: most threads have few comments, some have many.
  while (random.chance(mean / (1 + mean))) {
    last += 20 + random.delay(median);
    const who = random.unit();
    if (who < 0.5) add(kind, last, pickTeamMember(repository, random));
    else if (who < 0.78) add(kind, last, opener);
    else if (who < 0.9) add(kind, last, pickFollower(repository, 2, random));
    else add(kind, last, random.pick(population.bots));
  }
  return last;
}

/** Schedules reviews with their comments. Returns the time of the last review. */
function scheduleReviews(thread: Thread, from: number, simulation: Simulation): number {
  const { random } = simulation;
  const add = createScheduler(thread, simulation);
  let last = from;
  while (random.chance(0.48)) {
    last += 120 + random.delay(4 * HOUR);
    const reviewer = pickOtherTeamMember(thread.repository, thread.opener, random);
    add('pull review', last, reviewer);
    while (random.chance(0.4)) {
      last += 1;
      add('pull review comment', last, random.chance(0.75) ? reviewer : thread.opener);
    }
  }
  return last;
}
