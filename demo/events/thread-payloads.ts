import { isoTime } from '../world/iso-time.js';
import { fullName, type Repository } from '../world/repository.js';
import { commentText } from '../world/texts.js';
import type { DemoEvent, Thread } from './demo-event.js';
import { forkId, user } from './payloads.js';
import type { Pen, Written } from './payload-context.js';

export function issueOpened(event: DemoEvent, pen: Pen): Written {
  const thread = about(event);
  thread.number = thread.repository.nextNumber++;
  thread.id = pen.ids.issue();
  return ['IssuesEvent', `{"action":"opened","issue":${issue(thread, event.at)}}`];
}

export function issueClosed(event: DemoEvent): Written {
  const thread = about(event);
  thread.closedAt = event.at;
  return ['IssuesEvent', `{"action":"closed","issue":${issue(thread, event.at)}}`];
}

export function issueReopened(event: DemoEvent): Written {
  const thread = about(event);
  thread.closedAt = null;
  return ['IssuesEvent', `{"action":"reopened","issue":${issue(thread, event.at)}}`];
}

/** A comment in an issue or in a pull request's conversation, which the platform both call issue comments. */
export function comment(event: DemoEvent, { ids, random }: Pen): Written {
  const thread = about(event);
  thread.comments++;
  const time = isoTime(event.at);
  const url = `https://api.github.com/repos/${fullName(event.repository)}/pulls/${thread.number}`;
  const pull = event.kind === 'pull comment' ? `,"pull_request":{"url":"${url}"}` : '';
  return [
    'IssueCommentEvent',
    `{"action":"created","issue":${issue(thread, event.at, pull)},"comment":{"id":${ids.comment()},` +
      `"user":${user(event.actor)},"created_at":"${time}","updated_at":"${time}","body":"${commentText(random)}"}}`,
  ];
}

export function pullOpened(event: DemoEvent, pen: Pen): Written {
  const thread = about(event);
  thread.number = thread.repository.nextNumber++;
  thread.id = pen.ids.pullRequest();
  thread.head = pen.ids.sha();
  return pullEvent('opened', event, pen);
}

export function pullClosed(event: DemoEvent, pen: Pen): Written {
  about(event).closedAt = event.at;
  return pullEvent('closed', event, pen);
}

export function pullMerged(event: DemoEvent, pen: Pen): Written {
  const thread = about(event);
  thread.closedAt = event.at;
  thread.mergedAt = event.at;
  return pullEvent(pen.slim ? 'merged' : 'closed', event, pen);
}

export function review(event: DemoEvent, { ids, random, slim }: Pen): Written {
  const thread = about(event);
  const state = random.pick(['approved', 'approved', 'commented', 'changes_requested']);
  return [
    'PullRequestReviewEvent',
    `{"action":"created","review":{"id":${ids.review()},"user":${user(event.actor)},"body":null,` +
      `"commit_id":"${thread.head}","submitted_at":"${isoTime(event.at)}","state":"${state}"},` +
      `"pull_request":${slim ? slimPull(thread) : pull(thread, event.at)}}`,
  ];
}

export function reviewComment(event: DemoEvent, { ids, random, slim }: Pen): Written {
  const thread = about(event);
  thread.reviewComments++;
  const time = isoTime(event.at);
  return [
    'PullRequestReviewCommentEvent',
    `{"action":"created","comment":{"id":${ids.comment()},"path":"src/demo.txt","commit_id":"${thread.head}",` +
      `"user":${user(event.actor)},"body":"${commentText(random)}","created_at":"${time}","updated_at":"${time}"},` +
      `"pull_request":${slim ? slimPull(thread) : pull(thread, event.at)}}`,
  ];
}

function about({ thread, kind }: DemoEvent): Thread {
  if (thread === undefined) throw new TypeError(`expected the thread of an event of kind "${kind}", got none`);
  return thread;
}

function pullEvent(action: string, event: DemoEvent, { slim }: Pen): Written {
  const thread = about(event);
  const detail = slim ? slimPull(thread) : pull(thread, event.at, outcome(thread, event));
  return ['PullRequestEvent', `{"action":"${action}","number":${thread.number},"pull_request":${detail}}`];
}

function issue(thread: Thread, at: number, pull = ''): string {
  return (
    `{"id":${thread.id},"number":${thread.number},"title":"${thread.title}","user":${user(thread.opener)},"labels":[],` +
    `"state":"${state(thread)}","locked":false,"comments":${thread.comments},${times(thread, at)}${pull},"body":null}`
  );
}

function pull(thread: Thread, at: number, outcome = ''): string {
  return (
    `{"id":${thread.id},"number":${thread.number},"state":"${state(thread)}","locked":false,"title":"${thread.title}",` +
    `"user":${user(thread.opener)},"body":null,${times(thread, at)},"merged_at":${timeOrNull(thread.mergedAt)},` +
    `"draft":false,"head":{"ref":"${thread.branch}","sha":"${thread.head}","repo":${headRepository(thread)}},` +
    `"base":{"ref":"main","sha":"${thread.repository.head}","repo":${baseRepository(thread.repository, at)}}${outcome}}`
  );
}

/** What only PullRequestEvent tells. */
function outcome(thread: Thread, { actor }: DemoEvent): string {
  const merged = thread.mergedAt !== null;
  return (
    `,"merged":${merged},"merged_by":${merged ? user(actor) : 'null'},"comments":${thread.comments},` +
    `"review_comments":${thread.reviewComments},"commits":${thread.commits},"additions":${thread.additions},` +
    `"deletions":${thread.deletions},"changed_files":${thread.changedFiles}`
  );
}

function slimPull(thread: Thread): string {
  const { repository, outsider, opener } = thread;
  const url = `https://api.github.com/repos/${fullName(repository)}`;
  const place = (id: number) => `{"id":${id},"name":"${repository.name}"}`;
  const headId = outsider ? forkId(repository, opener) : repository.id;
  return (
    `{"id":${thread.id},"number":${thread.number},"url":"${url}/pulls/${thread.number}",` +
    `"head":{"ref":"${thread.branch}","sha":"${thread.head}","repo":${place(headId)}},` +
    `"base":{"ref":"main","sha":"${repository.head}","repo":${place(repository.id)}}}`
  );
}

function headRepository({ repository, outsider, opener }: Thread): string {
  const id = outsider ? forkId(repository, opener) : repository.id;
  const owner = outsider ? opener : repository.owner;
  return `{"id":${id},"name":"${repository.name}","full_name":"${owner.login}/${repository.name}","fork":${outsider}}`;
}

function baseRepository(repository: Repository, at: number): string {
  const { license } = repository;
  const licenseJson = license === null ? 'null' : `{"key":"${license.toLowerCase()}","spdx_id":"${license}"}`;
  return (
    `{"id":${repository.id},"name":"${repository.name}","full_name":"${fullName(repository)}","private":false,` +
    `"owner":${user(repository.owner)},"description":"${repository.description}","fork":false,` +
    `"created_at":"${isoTime(repository.createdAt)}","updated_at":"${isoTime(at)}",` +
    `"pushed_at":"${isoTime(repository.pushedAt)}","size":${repository.size},"stargazers_count":${repository.stars},` +
    `"watchers_count":${repository.stars},"language":"${repository.language}","forks_count":${repository.forks},` +
    `"archived":false,"license":${licenseJson},"default_branch":"main"}`
  );
}

function times(thread: Thread, at: number): string {
  const opened = isoTime(thread.openedAt);
  return `"created_at":"${opened}","updated_at":"${isoTime(at)}","closed_at":${timeOrNull(thread.closedAt)}`;
}

function timeOrNull(seconds: number | null): string {
  return seconds === null ? 'null' : `"${isoTime(seconds)}"`;
}

function state({ closedAt }: Thread): string {
  return closedAt === null ? 'open' : 'closed';
}
