import type { DataSource } from '../databases/interface/data-source.js';
import type { DataVersion } from '../databases/interface/data-versions.js';
import type { Cell, ResultColumn } from '../databases/interface/database.js';
import type { Endpoint } from '../definitions/endpoint/endpoint.js';
import type { ParameterValues } from '../definitions/parameters/parameter-values.js';

/** The result of a request, before it is formatted as an envelope. Cells are as the driver returned them. */
export interface Answer {
  readonly endpoint: Endpoint;
  /** Every parameter, with defaults; null for an absent optional parameter. */
  readonly parameters: ParameterValues;
  /** The executed SQL, in the MySQL dialect. */
  readonly sql: string;
  /** The name of the database. */
  readonly database: string;
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** The row limit of this answer. */
  readonly limit: number;
  /** Whether more rows exist, beyond the row limit or on the next page. */
  readonly truncated: boolean;
  /** The number of the next page; undefined without a next page. */
  readonly nextPage: number | undefined;
  /** The cursor of the next page; null without a next page or a cursor for it, undefined if the endpoint has no cursors. */
  readonly nextCursor: string | null | undefined;
  /** The number of all rows; null if it could not be counted, undefined if the endpoint does not state it. */
  readonly total: number | null | undefined;
  readonly startedAt: Date;
  /** `startedAt` plus the measured duration. */
  readonly finishedAt: Date;
  /** The duration in milliseconds. */
  readonly ms: number;
  /** The time of the newest data in the answer; undefined if it is unknown. */
  readonly dataAsOf: Date | undefined;
  /** The time when the tables were computed; undefined if the endpoint does not define it, null if it is unknown. */
  readonly computedAt: Date | null | undefined;
  /** The age in milliseconds after which data are stale; undefined if there is no limit. */
  readonly staleAfterMs: number | undefined;
  readonly notices: readonly string[];
  /** Undefined if the endpoint does not state them, null if they could not be read completely. */
  readonly sources: readonly DataSource[] | null | undefined;
  /**
   * The versions of the tables that the answer was read from, by table. The data of the answer are exactly those of these
   * versions. Undefined if the versions are unknown, or if they changed during each attempt to read the rows.
   */
  readonly versions: ReadonlyMap<string, DataVersion> | undefined;
  /**
   * The key of the request at `startedAt`. It differs from the key that `identify` returned before if an hour or a day began in
   * between. An answer may be stored only under its own key.
   */
  readonly key: string;
  /** False if a metadata query failed, so that the times or notices of the answer are not complete. */
  readonly isComplete: boolean;
  /** Notices that explain why the answer has no rows. They are appended to the message. */
  readonly emptyNotices: readonly string[];
}

/** The query plan of the database. */
export interface Plan
  extends Omit<
    Answer,
    | 'limit'
    | 'truncated'
    | 'nextPage'
    | 'nextCursor'
    | 'total'
    | 'dataAsOf'
    | 'computedAt'
    | 'staleAfterMs'
    | 'notices'
    | 'sources'
    | 'emptyNotices'
    | 'versions'
    | 'key'
    | 'isComplete'
  > {}
