import { isoTime } from '../world/iso-time.js';
import type { Account } from '../world/population.js';
import { hash32 } from '../world/random.js';
import type { Repository } from '../world/repository.js';
import { commentText, commitMessage } from '../world/texts.js';
import type { DemoEvent } from './demo-event.js';
import type { Pen, Written } from './payload-context.js';

export function star({ repository }: DemoEvent): Written {
  repository.stars++;
  return ['WatchEvent', '{"action":"started"}'];
}

export function fork({ repository, actor, at }: DemoEvent): Written {
  repository.forks++;
  const { name, description } = repository;
  const time = isoTime(at);
  return [
    'ForkEvent',
    `{"forkee":{"id":${forkId(repository, actor)},"name":"${name}","full_name":"${actor.login}/${name}",` +
      `"private":false,"owner":${user(actor)},"description":"${description}","fork":true,"created_at":"${time}",` +
      `"updated_at":"${time}","pushed_at":"${isoTime(repository.pushedAt)}","size":${repository.size},` +
      '"stargazers_count":0,"forks_count":0,"language":null,"default_branch":"main","public":true}}',
  ];
}

export function push({ repository, actor, at }: DemoEvent, { random, ids, slim }: Pen): Written {
  const before = repository.head;
  const head = ids.sha();
  repository.head = head;
  repository.pushedAt = at;
  const size = Math.min(20, 1 + Math.floor(random.delay(0.7)));
  repository.size += size;
  const id = `"push_id":${ids.push()}`;
  const refs = `"ref":"refs/heads/main","head":"${head}","before":"${before}"`;
  if (slim) return ['PushEvent', `{"repository_id":${repository.id},${id},${refs}}`];
  const commits = Array.from({ length: size }, (_, place) => {
    const sha = place === size - 1 ? head : ids.sha();
    const author = `{"name":"${actor.login}","email":"user@example.com"}`;
    return `{"sha":"${sha}","author":${author},"message":"${commitMessage(random)}","distinct":true}`;
  });
  const sizes = `"size":${size},"distinct_size":${size}`;
  return ['PushEvent', `{${id},${sizes},${refs},"commits":[${commits.join(',')}]}`];
}

export function repositoryCreated({ repository }: DemoEvent): Written {
  return ['CreateEvent', created(null, 'repository', repository)];
}

export function repositoryPublished(): Written {
  return ['PublicEvent', '{}'];
}

export function branchCreated({ repository, thread }: DemoEvent, { random }: Pen): Written {
  return ['CreateEvent', created(thread?.branch ?? `demo-${random.below(100_000)}`, 'branch', repository)];
}

export function branchDeleted({ thread }: DemoEvent, { random }: Pen): Written {
  const branch = thread?.branch ?? `demo-${random.below(100_000)}`;
  return ['DeleteEvent', `{"ref":"${branch}","ref_type":"branch","pusher_type":"user"}`];
}

export function tagCreated({ repository }: DemoEvent): Written {
  repository.releases++;
  return ['CreateEvent', created(tag(repository), 'tag', repository)];
}

export function release({ repository, actor, at }: DemoEvent, { ids }: Pen): Written {
  return [
    'ReleaseEvent',
    `{"action":"published","release":{"id":${ids.release()},"author":${user(actor)},"tag_name":"${tag(repository)}",` +
      `"target_commitish":"main","name":"${tag(repository)}","draft":false,"prerelease":false,` +
      `"created_at":"${isoTime(at - 5)}","published_at":"${isoTime(at)}","assets":[],"body":""}}`,
  ];
}

export function memberAdded({ member, actor }: DemoEvent): Written {
  return ['MemberEvent', `{"member":${user(member ?? actor)},"action":"added"}`];
}

export function commitComment({ repository, actor, at }: DemoEvent, { ids, random }: Pen): Written {
  const time = isoTime(at);
  return [
    'CommitCommentEvent',
    `{"comment":{"id":${ids.comment()},"user":${user(actor)},"position":null,"line":null,"path":null,` +
      `"commit_id":"${repository.head}","created_at":"${time}","updated_at":"${time}","body":"${commentText(random)}"}}`,
  ];
}

export function wikiEdited(_: DemoEvent, { ids }: Pen): Written {
  const page = '"page_name":"Home","title":"Home","summary":null,"action":"edited"';
  return ['GollumEvent', `{"pages":[{${page},"sha":"${ids.sha()}"}]}`];
}

/** An account as payloads tell it. */
export function user({ id, login, type }: Account): string {
  return `{"login":"${login}","id":${id},"type":"${type}","site_admin":false}`;
}

/** The id of an account's fork, the same whenever it is told; above the ids of the demo's own repositories. */
export function forkId(repository: Repository, account: Account): number {
  return 2_200_000_000 + (hash32(account.id, repository.id) >>> 2);
}

function created(ref: string | null, refType: string, { description }: Repository): string {
  const name = ref === null ? 'null' : `"${ref}"`;
  return `{"ref":${name},"ref_type":"${refType}","master_branch":"main","description":"${description}","pusher_type":"user"}`;
}

function tag({ releases }: Repository): string {
  return `v${1 + Math.floor(releases / 12)}.${releases % 12}.0`;
}
