import { isoTime } from '../world/iso-time.js';
import { fullName, type Repository } from '../world/repository.js';
import { pickComment } from '../world/texts.js';
import type { DemoEvent, Thread } from './demo-event.js';
import type { EventPayload, PayloadContext } from './payload-context.js';
import { createForkId, writeUser } from './payloads.js';

export function writeIssueOpened(event: DemoEvent, context: PayloadContext): EventPayload {
  const thread = requireThread(event);
  thread.number = thread.repository.nextNumber++;
  thread.id = context.ids.issue();
  return ['IssuesEvent', `{"action":"opened","issue":${writeIssue(thread, event.at)}}`];
}

export function writeIssueClosed(event: DemoEvent): EventPayload {
  const thread = requireThread(event);
  thread.closedAt = event.at;
  return ['IssuesEvent', `{"action":"closed","issue":${writeIssue(thread, event.at)}}`];
}

export function writeIssueReopened(event: DemoEvent): EventPayload {
  const thread = requireThread(event);
  thread.closedAt = null;
  return ['IssuesEvent', `{"action":"reopened","issue":${writeIssue(thread, event.at)}}`];
}

/** A comment on an issue or in the conversation of a pull request. GitHub calls both issue comments. */
export function writeComment(event: DemoEvent, { ids, random }: PayloadContext): EventPayload {
  const thread = requireThread(event);
  thread.comments++;
  const time = isoTime(event.at);
  const url = `https://api.github.com/repos/${fullName(event.repository)}/pulls/${thread.number}`;
  const pull = event.kind === 'pull comment' ? `,"pull_request":{"url":"${url}"}` : '';
  return [
    'IssueCommentEvent',
    `{"action":"created","issue":${writeIssue(thread, event.at, pull)},"comment":{"id":${ids.comment()},` +
      `"user":${writeUser(event.actor)},"created_at":"${time}","updated_at":"${time}","body":"${pickComment(random)}"}}`,
  ];
}

export function writePullOpened(event: DemoEvent, context: PayloadContext): EventPayload {
  const thread = requireThread(event);
  thread.number = thread.repository.nextNumber++;
  thread.id = context.ids.pullRequest();
  thread.head = context.ids.sha();
  return writePullEvent('opened', event, context);
}

export function writePullClosed(event: DemoEvent, context: PayloadContext): EventPayload {
  requireThread(event).closedAt = event.at;
  return writePullEvent('closed', event, context);
}

export function writePullMerged(event: DemoEvent, context: PayloadContext): EventPayload {
  const thread = requireThread(event);
  thread.closedAt = event.at;
  thread.mergedAt = event.at;
  return writePullEvent(context.isSlim ? 'merged' : 'closed', event, context);
}

export function writeReview(event: DemoEvent, { ids, random, isSlim }: PayloadContext): EventPayload {
  const thread = requireThread(event);
  const state = random.pick(['approved', 'approved', 'commented', 'changes_requested']);
  return [
    'PullRequestReviewEvent',
    `{"action":"created","review":{"id":${ids.review()},"user":${writeUser(event.actor)},"body":null,` +
      `"commit_id":"${thread.head}","submitted_at":"${isoTime(event.at)}","state":"${state}"},` +
      `"pull_request":${isSlim ? writeSlimPull(thread) : writePull(thread, event.at)}}`,
  ];
}

export function writeReviewComment(event: DemoEvent, { ids, random, isSlim }: PayloadContext): EventPayload {
  const thread = requireThread(event);
  thread.reviewComments++;
  const time = isoTime(event.at);
  return [
    'PullRequestReviewCommentEvent',
    `{"action":"created","comment":{"id":${ids.comment()},"path":"src/demo.txt","commit_id":"${thread.head}",` +
      `"user":${writeUser(event.actor)},"body":"${pickComment(random)}","created_at":"${time}","updated_at":"${time}"},` +
      `"pull_request":${isSlim ? writeSlimPull(thread) : writePull(thread, event.at)}}`,
  ];
}

function requireThread({ thread, kind }: DemoEvent): Thread {
  if (thread === undefined) throw new TypeError(`expected the thread of an event of kind "${kind}", got none`);
  return thread;
}

function writePullEvent(action: string, event: DemoEvent, { isSlim }: PayloadContext): EventPayload {
  const thread = requireThread(event);
  const detail = isSlim ? writeSlimPull(thread) : writePull(thread, event.at, writeOutcome(thread, event));
  return ['PullRequestEvent', `{"action":"${action}","number":${thread.number},"pull_request":${detail}}`];
}

function writeIssue(thread: Thread, at: number, pull = ''): string {
  return (
    `{"id":${thread.id},"number":${thread.number},"title":"${thread.title}","user":${writeUser(thread.opener)},"labels":[],` +
    `"state":"${stateOf(thread)}","locked":false,"comments":${thread.comments},${writeTimes(thread, at)}${pull},"body":null}`
  );
}

function writePull(thread: Thread, at: number, outcome = ''): string {
  return (
    `{"id":${thread.id},"number":${thread.number},"state":"${stateOf(thread)}","locked":false,"title":"${thread.title}",` +
    `"user":${writeUser(thread.opener)},"body":null,${writeTimes(thread, at)},"merged_at":${writeTimeOrNull(thread.mergedAt)},` +
    `"draft":false,"head":{"ref":"${thread.branch}","sha":"${thread.head}","repo":${writeHeadRepository(thread)}},` +
    `"base":{"ref":"main","sha":"${thread.repository.head}","repo":${writeBaseRepository(thread.repository, at)}}${outcome}}`
  );
}

/** Writes the fields of an issue or pull request that only PullRequestEvent contains. */
function writeOutcome(thread: Thread, { actor }: DemoEvent): string {
  const merged = thread.mergedAt !== null;
  return (
    `,"merged":${merged},"merged_by":${merged ? writeUser(actor) : 'null'},"comments":${thread.comments},` +
    `"review_comments":${thread.reviewComments},"commits":${thread.commits},"additions":${thread.additions},` +
    `"deletions":${thread.deletions},"changed_files":${thread.changedFiles}`
  );
}

function writeSlimPull(thread: Thread): string {
  const { repository, isOutsider, opener } = thread;
  const url = `https://api.github.com/repos/${fullName(repository)}`;
  const place = (id: number) => `{"id":${id},"name":"${repository.name}"}`;
  const headId = isOutsider ? createForkId(repository, opener) : repository.id;
  return (
    `{"id":${thread.id},"number":${thread.number},"url":"${url}/pulls/${thread.number}",` +
    `"head":{"ref":"${thread.branch}","sha":"${thread.head}","repo":${place(headId)}},` +
    `"base":{"ref":"main","sha":"${repository.head}","repo":${place(repository.id)}}}`
  );
}

function writeHeadRepository({ repository, isOutsider, opener }: Thread): string {
  const id = isOutsider ? createForkId(repository, opener) : repository.id;
  const owner = isOutsider ? opener : repository.owner;
  return `{"id":${id},"name":"${repository.name}","full_name":"${owner.login}/${repository.name}","fork":${isOutsider}}`;
}

function writeBaseRepository(repository: Repository, at: number): string {
  const { license } = repository;
  const licenseJson = license === null ? 'null' : `{"key":"${license.toLowerCase()}","spdx_id":"${license}"}`;
  return (
    `{"id":${repository.id},"name":"${repository.name}","full_name":"${fullName(repository)}","private":false,` +
    `"owner":${writeUser(repository.owner)},"description":"${repository.description}","fork":false,` +
    `"created_at":"${isoTime(repository.createdAt)}","updated_at":"${isoTime(at)}",` +
    `"pushed_at":"${isoTime(repository.pushedAt)}","size":${repository.size},"stargazers_count":${repository.stars},` +
    `"watchers_count":${repository.stars},"language":"${repository.language}","forks_count":${repository.forks},` +
    `"archived":false,"license":${licenseJson},"default_branch":"main"}`
  );
}

function writeTimes(thread: Thread, at: number): string {
  const opened = isoTime(thread.openedAt);
  return `"created_at":"${opened}","updated_at":"${isoTime(at)}","closed_at":${writeTimeOrNull(thread.closedAt)}`;
}

function writeTimeOrNull(seconds: number | null): string {
  return seconds === null ? 'null' : `"${isoTime(seconds)}"`;
}

function stateOf({ closedAt }: Thread): string {
  return closedAt === null ? 'open' : 'closed';
}
