import type { Answer, Plan } from '../../answers/answer.js';
import { type NativeRow, toNativeValue, writeNestedRows } from '../../answers/cells/cells.js';
import { writeResultRows } from '../../answers/cells/result-rows.js';
import type { DataSource } from '../../databases/interface/data-source.js';
import type { ResultSet } from '../../databases/interface/database.js';
import { withoutCaller } from '../../definitions/access/caller-values.js';
import type { ParameterValues } from '../../definitions/parameters/parameter-values.js';
import { ageOf } from './envelope.js';

/** A column of an answer. */
export interface QueryField {
  readonly name: string;
  readonly columnType: string;
  /** Only for nested columns: the list whose objects contain the column. */
  readonly list?: string;
}

/** The body of `/q/explain/{name}/` and of results without a definition. Times are ISO 8601, UTC. */
export interface QueryEnvelope {
  readonly params: ParameterValues;
  readonly requestedAt: string;
  readonly finishedAt: string;
  /**
   * The time until which the service returns the same data. Only answers with `cache.ttl` have such a time. The next
   * commit can change all other answers, so for them it equals `finishedAt`.
   */
  readonly expiresAt: string;
  /** The duration of the query in seconds. */
  readonly spent: number;
  readonly sql: string;
  readonly fields: readonly QueryField[];
  readonly data: readonly NativeRow[];
}

/** The body of `/q/{name}`. It also contains the age and the notices, which are in `data.result` under `/v1`. */
export interface NamedQueryEnvelope extends QueryEnvelope {
  /** Only for definitions with cursors: the cursor of the next page, or null. */
  readonly nextCursor?: string | null;
  /** Only for definitions with `pagination.total`: the number of all rows; null if it could not be counted. */
  readonly total?: number | null;
  /** Only for definitions with source notices: the sources; null if they could not be read completely. */
  readonly sources?: readonly DataSource[] | null;
  readonly dataAsOf: string | null;
  readonly stale: boolean;
  readonly truncated: boolean;
  readonly notices: readonly string[];
}

/**
 * Writes an answer with native JSON values: exact numbers as numbers, other values as text, missing cells as null.
 * `expiresAt` is absent if the next commit can change the data.
 */
export function toQueryEnvelope(answer: Answer, expiresAt?: Date): NamedQueryEnvelope {
  const { columns, nest } = answer.endpoint.definition;
  const { dataAsOf, stale } = ageOf(answer, answer.finishedAt);
  return {
    ...writeMetadata(answer),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
    fields: columns.map(({ col, data_type }) => ({
      name: col,
      columnType: data_type,
      ...(nest?.columns.includes(col) && { list: nest.name }),
    })),
    data: writeNestedRows(answer.endpoint, answer.rows),
    ...(answer.nextCursor !== undefined && { nextCursor: answer.nextCursor }),
    ...(answer.total !== undefined && { total: answer.total }),
    ...(answer.sources !== undefined && { sources: answer.sources }),
    dataAsOf,
    stale,
    truncated: answer.truncated,
    notices: [...answer.notices, ...answer.emptyNotices],
  };
}

/** Returns the envelope of a query plan. Its columns are those that the database reports. */
export function toPlanEnvelope(plan: Plan): QueryEnvelope {
  return {
    ...writeMetadata(plan),
    fields: plan.columns.map(({ name, type }) => ({ name, columnType: type })),
    data: plan.rows.map((cells) =>
      Object.fromEntries(plan.columns.map(({ name }, index) => [name, toNativeValue(cells[index] ?? null)])),
    ),
  };
}

/** The result of SQL that is not from a definition file, such as SQL of the playground. Its columns are those that the database reports. */
export interface PlainResult extends Pick<ResultSet, 'columns' | 'rows'> {
  readonly parameters: ParameterValues;
  readonly sql: string;
  readonly startedAt: Date;
  /** The duration of the query in milliseconds. */
  readonly ms: number;
}

/** Returns the envelope of a result of SQL that is not from a definition file. Its columns are those that the database reports. */
export function toResultEnvelope(result: PlainResult): QueryEnvelope {
  const { fields, rows } = writeResultRows(result);
  return { ...writeMetadata(result), fields, data: rows };
}

function writeMetadata(result: Pick<PlainResult, 'parameters' | 'sql' | 'startedAt' | 'ms'>): Metadata {
  const { parameters, sql, startedAt, ms } = result;
  const finished = new Date(startedAt.getTime() + Math.round(ms)).toISOString();
  return {
    params: withoutCaller(parameters),
    requestedAt: startedAt.toISOString(),
    finishedAt: finished,
    expiresAt: finished,
    spent: Math.round(ms) / 1000,
    sql,
  };
}

type Metadata = Omit<QueryEnvelope, 'fields' | 'data'>;
