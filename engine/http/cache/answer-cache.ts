import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import type { RawParameters } from '../../definitions/parameters/parameter-values.js';
import type { Format } from '../formats/format.js';
import type { Representation, ServedAnswer } from './stored-answer.js';

/** What the target of a request asks for. */
export interface TargetRequest {
  readonly endpoint: Endpoint;
  readonly raw: RawParameters;
  readonly representation: Representation;
  /** The key under which `find` finds the answer: see `keyOfTarget`. */
  readonly target: string;
  /** The generation of the definitions in which `endpoint` was found for the target. */
  readonly generation: number;
}

export interface AnswerRequest extends TargetRequest {
  /** Whether the client sent `Cache-Control: no-cache`: it waits for the newest version. */
  readonly isNewestRequired: boolean;
  /** Aborts if the client disconnects. The work continues while another client waits for it. */
  readonly signal: AbortSignal;
  /** The id of the request in the log. */
  readonly requestId?: string | undefined;
}

/**
 * Returns the key under which `AnswerCache.find` finds the answer to a target: the target as sent, after the format that the
 * client accepts unless this is JSON.
 */
export function keyOfTarget(target: string, accepted: Format): string {
  return accepted === 'json' ? target : `${accepted} ${target}`;
}

/** Answers requests from stored answers that are still exact, and computes the others. */
export interface AnswerCache {
  /**
   * Returns the answer for the key of a target if the answer is in memory and exact, without waiting. Undefined if
   * the caller must ask `serve`. The caller must call `use` when it sends the answer.
   */
  find(key: string): ServedAnswer | undefined;
  /**
   * Like `find`, for answers in Redis. No query runs, so the caller can ask before the limits of the request are known.
   * Never rejects.
   */
  findShared(request: TargetRequest): Promise<ServedAnswer | undefined>;
  /** Counts the use of an answer that was found for a key, also for the observer of the engine. */
  use(found: ServedAnswer, key: string): void;
  /** Answers a request. Rejects with `EngineError`. */
  serve(request: AnswerRequest): Promise<ServedAnswer>;
}
