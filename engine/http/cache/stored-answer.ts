import type { DataVersion } from '../../databases/interface/data-versions.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import type { ParameterValues } from '../../definitions/parameters/parameter-values.js';
import type { AnswerFacts } from '../formats/answer-facts.js';
import type { RowFormat } from '../formats/format.js';

/** The form of an answer: the envelope of `/v1`, the envelope of `/q`, or a format with only the rows. */
export type Representation = 'envelope' | 'query' | RowFormat;

/**
 * A complete answer in all its encodings, ready to send. It is immutable. All its times are times of the system clock, even
 * if `NOW` fixes the clock of the data.
 */
export interface StoredAnswer {
  readonly endpoint: Endpoint;
  readonly parameters: ParameterValues;
  readonly representation: Representation;
  /** The key of the identity of the request (`RequestIdentity`). */
  readonly identity: string;
  /** The body; JSON is in UTF-8. An answer from Redis decompresses it at the first use. */
  readonly body: Buffer;
  readonly bodyBytes: number;
  readonly rows: number;
  /** The offset of the metadata at the end of the body, which differ in a stale answer. */
  readonly metadataStart: number;
  /** The metadata of an answer in a format with only the rows; other bodies contain them. */
  readonly facts: AnswerFacts | undefined;
  /** The compressed forms of the body; undefined for small and stale bodies, and until an answer is used again. */
  readonly gzip: Buffer | undefined;
  readonly brotli: Buffer | undefined;
  /** A hash of the body, without quotes. The ETag of each encoding is made from it. */
  readonly hash: string;
  /** The number of the next page; undefined without a next page. */
  readonly nextPage: number | undefined;
  /** The cursor of the next page; undefined without a next page or a cursor for it. */
  readonly nextCursor: string | undefined;
  /**
   * The newest version of the tables that the answer was read from; undefined if the answer is kept for a time (`cache.ttl`)
   * instead of a version.
   */
  readonly version: DataVersion | undefined;
  /** The versions of all tables that the answer was read from, by table. */
  readonly versions: ReadonlyMap<string, DataVersion>;
  /** When the computation of the answer started, in milliseconds since 1970. */
  readonly computedAt: number;
  /** The moment at which the answer ends because its part of the clock or its `cache.ttl` ends; Infinity if it does not. */
  readonly validUntil: number;
  /** The moment at which `stale` in the body changes because of the age of the data; Infinity if it does not. */
  readonly staleFrom: number;
}

/** A body and its compressed forms. */
export type EncodedBody = Pick<StoredAnswer, 'body' | 'bodyBytes' | 'gzip' | 'brotli'>;

/** How the cache handled a request, for `Cache-Status` (RFC 9211). */
export type CacheOutcome =
  | { readonly kind: 'hit'; readonly level: 1 | 2 }
  /** Computed for this request, or for another request at the same time (`collapsed`). */
  | { readonly kind: 'miss'; readonly isCollapsed: boolean; readonly isStored: boolean }
  /** An answer of an earlier version, during the recomputation or because the database is unavailable or overloaded. */
  | { readonly kind: 'stale'; readonly level: 1 | 2; readonly reason: 'recomputing' | 'unavailable' }
  /** The answer cannot be stored; `reason` says why. */
  | { readonly kind: 'bypass'; readonly reason: string };

/** An answer to send. For stale outcomes, `answer.body` already states that it is stale. */
export interface ServedAnswer {
  readonly answer: StoredAnswer;
  readonly outcome: CacheOutcome;
  /** When the version of the answer was last confirmed, in milliseconds since 1970. */
  readonly confirmedAt: number;
  /** Milliseconds that the query of this request took; undefined if no query ran. */
  readonly queryMs: number | undefined;
}
