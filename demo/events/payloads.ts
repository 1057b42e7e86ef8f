import { isoTime } from '../world/iso-time.js';
import type { Account } from '../world/population.js';
import { hash32 } from '../world/random.js';
import type { Repository } from '../world/repository.js';
import { createCommitMessage, pickComment } from '../world/texts.js';
import type { DemoEvent } from './demo-event.js';
import type { EventPayload, PayloadContext } from './payload-context.js';

export function writeStar({ repository }: DemoEvent): EventPayload {
  repository.stars++;
  return ['WatchEvent', '{"action":"started"}'];
}

export function writeFork({ repository, actor, at }: DemoEvent): EventPayload {
  repository.forks++;
  const { name, description } = repository;
  const time = isoTime(at);
  return [
    'ForkEvent',
    `{"forkee":{"id":${createForkId(repository, actor)},"name":"${name}","full_name":"${actor.login}/${name}",` +
      `"private":false,"owner":${writeUser(actor)},"description":"${description}","fork":true,"created_at":"${time}",` +
      `"updated_at":"${time}","pushed_at":"${isoTime(repository.pushedAt)}","size":${repository.size},` +
      '"stargazers_count":0,"forks_count":0,"language":null,"default_branch":"main","public":true}}',
  ];
}

export function writePush({ repository, actor, at }: DemoEvent, { random, ids, isSlim }: PayloadContext): EventPayload {
  const before = repository.head;
  const head = ids.sha();
  repository.head = head;
  repository.pushedAt = at;
  const size = Math.min(20, 1 + Math.floor(random.delay(0.7)));
  repository.size += size;
  const id = `"push_id":${ids.push()}`;
  const refs = `"ref":"refs/heads/main","head":"${head}","before":"${before}"`;
  if (isSlim) return ['PushEvent', `{"repository_id":${repository.id},${id},${refs}}`];
  const commits = Array.from({ length: size }, (_, place) => {
    const sha = place === size - 1 ? head : ids.sha();
    const author = `{"name":"${actor.login}","email":"user@example.com"}`;
    return `{"sha":"${sha}","author":${author},"message":"${createCommitMessage(random)}","distinct":true}`;
  });
  const sizes = `"size":${size},"distinct_size":${size}`;
  return ['PushEvent', `{${id},${sizes},${refs},"commits":[${commits.join(',')}]}`];
}

export function writeRepositoryCreated({ repository }: DemoEvent): EventPayload {
  return ['CreateEvent', writeCreatePayload(null, 'repository', repository)];
}

export function writeRepositoryPublished(): EventPayload {
  return ['PublicEvent', '{}'];
}

export function writeBranchCreated({ repository, thread }: DemoEvent, { random }: PayloadContext): EventPayload {
  return ['CreateEvent', writeCreatePayload(thread?.branch ?? `demo-${random.below(100_000)}`, 'branch', repository)];
}

export function writeBranchDeleted({ thread }: DemoEvent, { random }: PayloadContext): EventPayload {
  const branch = thread?.branch ?? `demo-${random.below(100_000)}`;
  return ['DeleteEvent', `{"ref":"${branch}","ref_type":"branch","pusher_type":"user"}`];
}

export function writeTagCreated({ repository }: DemoEvent): EventPayload {
  repository.releases++;
  return ['CreateEvent', writeCreatePayload(tagName(repository), 'tag', repository)];
}

export function writeRelease({ repository, actor, at }: DemoEvent, { ids }: PayloadContext): EventPayload {
  return [
    'ReleaseEvent',
    `{"action":"published","release":{"id":${ids.release()},"author":${writeUser(actor)},"tag_name":"${tagName(repository)}",` +
      `"target_commitish":"main","name":"${tagName(repository)}","draft":false,"prerelease":false,` +
      `"created_at":"${isoTime(at - 5)}","published_at":"${isoTime(at)}","assets":[],"body":""}}`,
  ];
}

export function writeMemberAdded({ member, actor }: DemoEvent): EventPayload {
  return ['MemberEvent', `{"member":${writeUser(member ?? actor)},"action":"added"}`];
}

export function writeCommitComment(
  { repository, actor, at }: DemoEvent,
  { ids, random }: PayloadContext,
): EventPayload {
  const time = isoTime(at);
  return [
    'CommitCommentEvent',
    `{"comment":{"id":${ids.comment()},"user":${writeUser(actor)},"position":null,"line":null,"path":null,` +
      `"commit_id":"${repository.head}","created_at":"${time}","updated_at":"${time}","body":"${pickComment(random)}"}}`,
  ];
}

export function writeWikiEdited(_: DemoEvent, { ids }: PayloadContext): EventPayload {
  const page = '"page_name":"Home","title":"Home","summary":null,"action":"edited"';
  return ['GollumEvent', `{"pages":[{${page},"sha":"${ids.sha()}"}]}`];
}

/** Writes an account in the form in which payloads contain it. */
export function writeUser({ id, login, type }: Account): string {
  return `{"login":"${login}","id":${id},"type":"${type}","site_admin":false}`;
}

/** Returns the id of an account's fork of a repository. It is the same in every event, and larger than all ids of repositories. */
export function createForkId(repository: Repository, account: Account): number {
  return 2_200_000_000 + (hash32(account.id, repository.id) >>> 2);
}

function writeCreatePayload(ref: string | null, refType: string, { description }: Repository): string {
  const name = ref === null ? 'null' : `"${ref}"`;
  return `{"ref":${name},"ref_type":"${refType}","master_branch":"main","description":"${description}","pusher_type":"user"}`;
}

function tagName({ releases }: Repository): string {
  return `v${1 + Math.floor(releases / 12)}.${releases % 12}.0`;
}
