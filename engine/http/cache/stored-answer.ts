import type { DataVersion } from '../../databases/interface/data-versions.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import type { ParameterValues } from '../../definitions/parameters/parameter-values.js';
import type { AnswerFacts } from '../formats/answer-facts.js';
import type { RowFormat } from '../formats/format.js';

/** The format of a body: the envelope of `/v1`, the envelope of `/q`, or a format with only the rows. */
export type Representation = 'envelope' | 'query' | RowFormat;

/**
 * A complete answer in all its encodings, ready to send. It is immutable. All times are of the system clock, even if
 * the setting `NOW` fixes the clock for the data.
 */
export interface StoredAnswer {
  readonly endpoint: Endpoint;
  readonly parameters: ParameterValues;
  readonly representation: Representation;
  /** The `key` of the `RequestIdentity` of the request. */
  readonly identity: string;
  /** The body; JSON is in UTF-8. The body of an answer from Redis is decompressed at its first use. */
  readonly body: Buffer;
  readonly bodyBytes: number;
  readonly rows: number;
  /** The offset of the metadata at the end of the body. A stale answer has other metadata. */
  readonly metadataStart: number;
  /** The metadata of an answer in a format with only rows; undefined for envelopes, whose body contains the metadata. */
  readonly facts: AnswerFacts | undefined;
  /** The compressed body; undefined for small and stale bodies, and until the answer is used a second time. */
  readonly gzip: Buffer | undefined;
  readonly brotli: Buffer | undefined;
  /** A hash of the body. The ETag of each encoding is derived from it. */
  readonly hash: string;
  /** The number of the next page; undefined without a next page. */
  readonly nextPage: number | undefined;
  /** The cursor of the next page; undefined without a next page or a cursor for it. */
  readonly nextCursor: string | undefined;
  /**
   * The newest version of the tables that the answer was read from; undefined if the answer has a fixed lifetime
   * (`cache.ttl`) instead.
   */
  readonly version: DataVersion | undefined;
  /** The versions of all tables that the answer was read from, by table. */
  readonly versions: ReadonlyMap<string, DataVersion>;
  /** When the computation of the answer started, in milliseconds since 1970. */
  readonly computedAt: number;
  /** The time at which the answer ends because a new second, hour or day begins or its `cache.ttl` expires; Infinity if it does not end. */
  readonly validUntil: number;
  /** The time at which `stale` in the body becomes wrong because of the age of the data; Infinity if this never happens. */
  readonly staleFrom: number;
}

/** A body and its compressed forms. */
export type EncodedBody = Pick<StoredAnswer, 'body' | 'bodyBytes' | 'gzip' | 'brotli'>;

/** How the cache handled a request, for `Cache-Status` (RFC 9211). */
export type CacheOutcome =
  | { readonly kind: 'hit'; readonly level: 1 | 2 }
  /** Computed for this request, or for another request at the same time (`collapsed`). */
  | { readonly kind: 'miss'; readonly isCollapsed: boolean; readonly isStored: boolean }
  /** An outdated answer, sent during the recomputation or because the database is unavailable or overloaded. */
  | { readonly kind: 'stale'; readonly level: 1 | 2; readonly reason: 'recomputing' | 'unavailable' }
  /** The answer cannot be stored because of `reason`. */
  | { readonly kind: 'bypass'; readonly reason: string };

/** An answer to send. For stale outcomes, `answer.body` already states that it is stale. */
export interface ServedAnswer {
  readonly answer: StoredAnswer;
  readonly outcome: CacheOutcome;
  /** When the version of the answer was last confirmed, in milliseconds since 1970. */
  readonly confirmedAt: number;
  /** The duration of the query for this request in milliseconds; undefined if no query ran. */
  readonly queryMs: number | undefined;
}
