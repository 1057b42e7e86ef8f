import { createIds } from '../world/ids.js';
import { isoTime } from '../world/iso-time.js';
import type { Random } from '../world/random.js';
import { fullName } from '../world/repository.js';
import type { DemoEvent, EventKind } from './demo-event.js';
import * as payloads from './payloads.js';
import type { Pen, Written } from './payload-context.js';
import * as threadPayloads from './thread-payloads.js';

/** The moment from which the feed is slim: pushes without commits, pull requests without detail, merges as `merged`. */
export const SLIM_SINCE = Date.UTC(2025, 9, 7) / 1000;

/**
 * Writes events as lines of the archive format, one JSON object each. Events must come in the order of time: a line also
 * moves on the counters that later lines tell (stars, numbers, comments).
 */
export class EventWriter {
  readonly #full: Pen;
  readonly #slim: Pen;

  constructor(random: Random) {
    const ids = createIds(random);
    this.#full = { random, ids, slim: false };
    this.#slim = { random, ids, slim: true };
  }

  *lines(events: Iterable<DemoEvent>): Generator<string> {
    for (const event of events) yield this.#line(event);
  }

  #line(event: DemoEvent): string {
    const { actor, repository, at } = event;
    const pen = at >= SLIM_SINCE ? this.#slim : this.#full;
    const [type, payload] = WRITERS[event.kind](event, pen);
    const { owner } = repository;
    const org = owner.type === 'Organization' ? `,"org":{"id":${owner.id},"login":"${owner.login}"}` : '';
    return (
      `{"id":"${pen.ids.event()}","type":"${type}","actor":{"id":${actor.id},"login":"${actor.login}"},` +
      `"repo":{"id":${repository.id},"name":"${fullName(repository)}"},"payload":${payload},` +
      `"public":true,"created_at":"${isoTime(at)}"${org}}\n`
    );
  }
}

const WRITERS: Readonly<Record<EventKind, (event: DemoEvent, pen: Pen) => Written>> = {
  star: payloads.star,
  fork: payloads.fork,
  push: payloads.push,
  'issue opened': threadPayloads.issueOpened,
  'issue closed': threadPayloads.issueClosed,
  'issue reopened': threadPayloads.issueReopened,
  'issue comment': threadPayloads.comment,
  'pull opened': threadPayloads.pullOpened,
  'pull closed': threadPayloads.pullClosed,
  'pull merged': threadPayloads.pullMerged,
  'pull comment': threadPayloads.comment,
  'pull review': threadPayloads.review,
  'pull review comment': threadPayloads.reviewComment,
  'repository created': payloads.repositoryCreated,
  'repository published': payloads.repositoryPublished,
  'branch created': payloads.branchCreated,
  'branch deleted': payloads.branchDeleted,
  'tag created': payloads.tagCreated,
  release: payloads.release,
  'member added': payloads.memberAdded,
  'commit comment': payloads.commitComment,
  'wiki edited': payloads.wikiEdited,
};
