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
  /** The number of all rows; null if it could not be counted, undefined if the endpoint defines no `total`. */
  readonly total: number | null | undefined;
  readonly startedAt: Date;
  /** The time of the end: `startedAt` plus the measured duration. */
  readonly finishedAt: Date;
  /** The duration in milliseconds. */
  readonly ms: number;
  /** The time of the newest data in the answer; undefined if it is unknown. */
  readonly dataAsOf: Date | undefined;
  /** The time when the tables were computed; undefined if the endpoint does not define `computed_at`, null if it is unknown. */
  readonly computedAt: Date | null | undefined;
  /**
   * Whether the endpoint cannot state the age of its data: it reads a table without versions, and defines no `data_as_of`. A notice states
   * this, and the answer is not stale because of its unknown age.
   */
  readonly isAgeless: boolean;
  /** The age in milliseconds after which data are stale; undefined if there is no limit. */
  readonly staleAfterMs: number | undefined;
  readonly notices: readonly string[];
  /** The sources of the data; undefined if the endpoint does not return sources, null if they could not be read completely. */
  readonly sources: readonly DataSource[] | null | undefined;
  /**
   * The versions of the tables that the answer was read from, by table. The answer contains exactly the data of these
   * versions. Undefined if the versions are unknown, or if they changed during each attempt to read the rows.
   */
  readonly versions: ReadonlyMap<string, DataVersion> | undefined;
  /**
   * The key of the request at `startedAt`. This key differs from the key that `identify` returned before if an hour or
   * a day began in between. Store an answer in a cache only under this key.
   */
  readonly key: string;
  /** False if a metadata query failed, so that times or notices of the answer are missing. */
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
    | 'isAgeless'
    | 'staleAfterMs'
    | 'notices'
    | 'sources'
    | 'emptyNotices'
    | 'versions'
    | 'key'
    | 'isComplete'
  > {}
