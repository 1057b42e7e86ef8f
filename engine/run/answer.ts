import type { Endpoint } from '../endpoint/endpoint.js';
import type { Cell, ResultColumn } from '../interface/database.js';
import type { ParameterValues } from '../parameters/parameter-values.js';

/** What a request comes to, before it is written in one of the envelopes. Cells are raw. */
export interface Answer {
  readonly endpoint: Endpoint;
  /** Every parameter, defaults filled in; null for an optional one that was not given. */
  readonly parameters: ParameterValues;
  /** The SQL in the MySQL dialect that was run, and the database's name. */
  readonly sql: string;
  readonly database: string;
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** The most rows that this answer could have. */
  readonly limit: number;
  /** Whether there were more rows, be it behind the row limit or on the next page. */
  readonly truncated: boolean;
  /** The number of the next page, for endpoints with pagination. */
  readonly nextPage: number | undefined;
  readonly startedAt: Date;
  /** By the same clock as `startedAt`. */
  readonly finishedAt: Date;
  /** How long it took, in milliseconds. */
  readonly ms: number;
  /** The time of the newest fact behind the answer; undefined when it is not known. */
  readonly dataAsOf: Date | undefined;
  /** When what was read had been computed; undefined for an answer computed as it was asked for, null if not known. */
  readonly computedAt: Date | null | undefined;
  /** Data older than this are stale; undefined when no age is too old. */
  readonly staleAfterMs: number | undefined;
  readonly notices: readonly string[];
  /** Notices that say why there are no rows; they join the message. */
  readonly emptyNotices: readonly string[];
}

/** The database's plan for a query. */
export interface Plan
  extends Omit<
    Answer,
    'limit' | 'truncated' | 'nextPage' | 'dataAsOf' | 'computedAt' | 'staleAfterMs' | 'notices' | 'emptyNotices'
  > {}
