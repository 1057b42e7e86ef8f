import type { Account } from '../world/population.js';
import type { Random } from '../world/random.js';
import type { Repository } from '../world/repository.js';
import { branchName, issueTitle, pullRequestTitle } from '../world/texts.js';
import { colleague, follower, teamMember } from './actors.js';
import type { DemoEvent, Thread } from './demo-event.js';
import type { Stage } from './simulation.js';

const HOUR = 3600;

/** An issue and all that will follow: comments, mostly a closing, now and then a reopening. */
export function startIssue(repository: Repository, seconds: number, stage: Stage): void {
  const { random, population } = stage;
  const opener = random.chance(0.04)
    ? random.pick(population.bots)
    : random.chance(0.2)
      ? teamMember(repository, random)
      : follower(repository, 1.6, random);
  const thread = newThread(repository, opener, seconds, issueTitle(random), random);
  const add = adder(thread, stage);
  add('issue opened', seconds, opener);
  let last = talk(thread, 'issue comment', seconds, 1.4, 20 * HOUR, stage);
  if (!random.chance(0.82)) return;
  last += 60 + random.delay(60 * HOUR);
  add('issue closed', last, random.chance(0.7) ? teamMember(repository, random) : opener);
  if (!random.chance(0.04)) return;
  last += 60 + random.delay(50 * HOUR);
  add('issue reopened', last, opener);
  add('issue closed', last + 60 + random.delay(40 * HOUR), teamMember(repository, random));
}

/** A pull request and all that will follow: its branch, reviews and comments, then mostly a merge or a closing. */
export function startPullRequest(repository: Repository, seconds: number, stage: Stage): void {
  const { random, population } = stage;
  const bot = random.chance(0.13);
  const outsider = !bot && random.chance(0.45);
  const opener = bot
    ? random.pick(population.bots.slice(0, 3))
    : outsider
      ? follower(repository, 2.2, random)
      : teamMember(repository, random);
  const withBranch = !outsider && random.chance(0.5);
  const opened = withBranch ? seconds + 1 + random.below(30) : seconds;
  const thread = newThread(repository, opener, opened, pullRequestTitle(bot, random), random, outsider);
  const add = adder(thread, stage);
  if (withBranch) add('branch created', seconds, opener);
  add('pull opened', opened, opener);
  const talked = talk(thread, 'pull comment', opened, outsider ? 1.1 : 0.7, 5 * HOUR, stage);
  let last = Math.max(talked, review(thread, opened, stage));
  if (!random.chance(0.94)) return;
  last += 60 + random.delay((outsider ? 30 : 6) * HOUR);
  const closer = outsider || bot ? teamMember(repository, random) : opener;
  if (!random.chance(outsider ? 0.6 : 0.76)) {
    add('pull closed', last, random.chance(0.5) ? opener : closer);
    return;
  }
  add('pull merged', last, closer);
  if (random.chance(0.5)) add('push', last + 1, closer);
  if (!outsider && random.chance(0.6)) add('branch deleted', last + 3, closer);
}

function newThread(
  repository: Repository,
  opener: Account,
  openedAt: number,
  title: string,
  random: Random,
  outsider = false,
): Thread {
  const additions = Math.ceil(random.delay(24));
  return {
    repository,
    opener,
    outsider,
    openedAt,
    title,
    branch: branchName(random),
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

function adder(thread: Thread, { schedule }: Stage) {
  const { repository } = thread;
  return (kind: DemoEvent['kind'], at: number, actor: Account): void =>
    schedule.add({ at: Math.floor(at), kind, repository, actor, thread });
}

/** Comments of the team, the opener, bots and others, `mean` of them; returns the time of the last. */
function talk(
  thread: Thread,
  kind: 'issue comment' | 'pull comment',
  from: number,
  mean: number,
  median: number,
  stage: Stage,
): number {
  const { random, population } = stage;
  const { repository, opener } = thread;
  const add = adder(thread, stage);
  let last = from;
  // A geometric distribution: most have few comments, some have many.
  while (random.chance(mean / (1 + mean))) {
    last += 20 + random.delay(median);
    const who = random.unit();
    if (who < 0.5) add(kind, last, teamMember(repository, random));
    else if (who < 0.78) add(kind, last, opener);
    else if (who < 0.9) add(kind, last, follower(repository, 2, random));
    else add(kind, last, random.pick(population.bots));
  }
  return last;
}

/** Reviews with their comments; returns the time of the last. */
function review(thread: Thread, from: number, stage: Stage): number {
  const { random } = stage;
  const add = adder(thread, stage);
  let last = from;
  while (random.chance(0.48)) {
    last += 120 + random.delay(4 * HOUR);
    const reviewer = colleague(thread.repository, thread.opener, random);
    add('pull review', last, reviewer);
    while (random.chance(0.4)) {
      last += 1;
      add('pull review comment', last, random.chance(0.75) ? reviewer : thread.opener);
    }
  }
  return last;
}
