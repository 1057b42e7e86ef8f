import type { Ids } from '../world/ids.js';
import type { Random } from '../world/random.js';

/** What the payload of an event is written with. */
export interface Pen {
  readonly random: Random;
  readonly ids: Ids;
  /** Whether the event is of the time since which the feed tells less. */
  readonly slim: boolean;
}

/** An event's type in the feed, and its payload's JSON. */
export type Written = readonly [type: string, payload: string];
