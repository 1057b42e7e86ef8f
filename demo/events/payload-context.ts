import type { Ids } from '../world/ids.js';
import type { Random } from '../world/random.js';

/** The inputs of the functions that write payloads. */
export interface PayloadContext {
  readonly random: Random;
  readonly ids: Ids;
  /** Whether the feed is slim at the time of the event (see `SLIM_SINCE`). */
  readonly isSlim: boolean;
}

/** The type of an event in the feed, and its payload as JSON. */
export type EventPayload = readonly [type: string, payload: string];
