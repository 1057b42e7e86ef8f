import { createIds } from '../world/ids.js';
import { isoTime } from '../world/iso-time.js';
import type { Random } from '../world/random.js';
import { fullName } from '../world/repository.js';
import type { DemoEvent, EventKind } from './demo-event.js';
import type { EventPayload, PayloadContext } from './payload-context.js';
import * as payloads from './payloads.js';
import * as threadPayloads from './thread-payloads.js';

/** From this time on, the feed is slim: it has pushes without commits, pull requests without details, and merges as the action `merged`. */
export const SLIM_SINCE = Date.UTC(2025, 9, 7) / 1000;

/**
 * Formats events as lines of the archive format, one JSON object each. Events must be in chronological order, because each line updates the
 * counters (stars, numbers, comments) for later lines.
 */
export class EventWriter {
  readonly #fullContext: PayloadContext;
  readonly #slimContext: PayloadContext;

  constructor(random: Random) {
    const ids = createIds(random);
    this.#fullContext = { random, ids, isSlim: false };
    this.#slimContext = { random, ids, isSlim: true };
  }

  *lines(events: Iterable<DemoEvent>): Generator<string> {
    for (const event of events) yield this.#line(event);
  }

  #line(event: DemoEvent): string {
    const { actor, repository, at } = event;
    const context = at >= SLIM_SINCE ? this.#slimContext : this.#fullContext;
    const [type, payload] = PAYLOAD_WRITERS[event.kind](event, context);
    const { owner } = repository;
    const org = owner.type === 'Organization' ? `,"org":{"id":${owner.id},"login":"${owner.login}"}` : '';
    return (
      `{"id":"${context.ids.event()}","type":"${type}","actor":{"id":${actor.id},"login":"${actor.login}"},` +
      `"repo":{"id":${repository.id},"name":"${fullName(repository)}"},"payload":${payload},` +
      `"public":true,"created_at":"${isoTime(at)}"${org}}\n`
    );
  }
}

const PAYLOAD_WRITERS: Readonly<Record<EventKind, (event: DemoEvent, context: PayloadContext) => EventPayload>> = {
  star: payloads.writeStar,
  fork: payloads.writeFork,
  push: payloads.writePush,
  'issue opened': threadPayloads.writeIssueOpened,
  'issue closed': threadPayloads.writeIssueClosed,
  'issue reopened': threadPayloads.writeIssueReopened,
  'issue comment': threadPayloads.writeComment,
  'pull opened': threadPayloads.writePullOpened,
  'pull closed': threadPayloads.writePullClosed,
  'pull merged': threadPayloads.writePullMerged,
  'pull comment': threadPayloads.writeComment,
  'pull review': threadPayloads.writeReview,
  'pull review comment': threadPayloads.writeReviewComment,
  'repository created': payloads.writeRepositoryCreated,
  'repository published': payloads.writeRepositoryPublished,
  'branch created': payloads.writeBranchCreated,
  'branch deleted': payloads.writeBranchDeleted,
  'tag created': payloads.writeTagCreated,
  release: payloads.writeRelease,
  'member added': payloads.writeMemberAdded,
  'commit comment': payloads.writeCommitComment,
  'wiki edited': payloads.writeWikiEdited,
};
