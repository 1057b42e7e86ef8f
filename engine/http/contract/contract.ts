import { createNativeCellSchema, createTextCellSchema } from '../../answers/cells/cells.js';
import type { ColumnDefinition, EndpointDefinition, ParameterDefinition } from '../../definitions/definition.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import { type AnswerMembers, answerMembersOf } from '../envelopes/query-envelope-schema.js';

/** The properties of an endpoint on which its callers rely. */
export interface Contract extends Pick<EndpointDefinition, 'name' | 'params'> {
  readonly path: string | undefined;
  readonly pagination: EndpointDefinition['pagination'] | undefined;
  readonly columns: readonly ContractColumn[];
  readonly members: AnswerMembers;
  readonly deprecated: string | undefined;
  readonly sunset: string | undefined;
  /** The texts for readers, by their key. The texts do not affect answers. */
  readonly texts: Readonly<Record<string, unknown>>;
  /** Properties that only a definition contains; undefined if the contract was read from an API description. */
  readonly inside: ContractInside | undefined;
}

export interface ContractColumn {
  readonly col: string;
  /** The data type, or the JSON types of the cells if the data type is unknown. */
  readonly type: string;
  readonly scale: number | undefined;
  /** Undefined if it is unknown. */
  readonly nullable: boolean | undefined;
  readonly description: string;
  /** The list whose objects contain the column in answers with nested values; undefined for a column of the rows themselves. */
  readonly list: string | undefined;
  /** The JSON types of a native cell that is not null. */
  readonly nativeTypes: readonly string[];
  /** The regular expression of a text cell that is not empty; null for any text, undefined if it is unknown. */
  readonly textPattern: string | null | undefined;
}

export interface ContractInside {
  /** Who can read the endpoint; undefined if any caller can. */
  readonly access: readonly string[] | undefined;
  readonly sql: string;
  /** The columns that identify a parent, as text; undefined without `nest`. */
  readonly nestedBy: string | undefined;
  /** The SQL for metadata, by its key in the definition. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly rows: number;
  /** The row limit of streamed formats; undefined if formats are not streamed, so that `rows` applies to all of them. */
  readonly streamRows: number | undefined;
  readonly timeoutMs: number;
  readonly requests: EndpointDefinition['limits']['requests'] | undefined;
  /** The settings that determine how long answers are reused, in milliseconds, by their key. */
  readonly storage: Readonly<Record<string, number | undefined>>;
}

export function contractOf(endpoint: Endpoint): Contract {
  const { definition } = endpoint;
  const { name, params, path, pagination, columns, nest, deprecated, sunset } = definition;
  const { summary, description, tags, questions, examples } = definition;
  const { sql, limits, data_as_of, computed_at, notices, staleAfterMs, cacheTtlMs, serveStaleMs } = definition;
  return {
    name,
    path,
    params,
    pagination: pagination && { default: pagination.default, max: pagination.max },
    columns: columns.map((column) => columnOf(column, nest)),
    members: answerMembersOf(endpoint),
    deprecated,
    sunset,
    texts: { summary, description, tags, questions, examples },
    inside: {
      access: definition.access,
      sql,
      nestedBy: nest && (nest.by?.join(', ') ?? 'all columns that are not nested'),
      metadata: { data_as_of, computed_at, notices },
      rows: limits.rows,
      streamRows: limits.streamRows,
      timeoutMs: limits.timeoutMs,
      requests: limits.requests,
      storage: { stale_after: staleAfterMs, 'cache.ttl': cacheTtlMs, serve_stale: serveStaleMs },
    },
  };
}

/** Whether callers must send a parameter. */
export function isRequired({ in: place, required, default: value }: ParameterDefinition): boolean {
  return place === 'path' || (required === true && value === undefined);
}

function columnOf(column: ColumnDefinition, nest: EndpointDefinition['nest']): ContractColumn {
  const { col, data_type, scale, nullable, description } = column;
  const filled = { ...column, nullable: false };
  const native = createNativeCellSchema(filled);
  return {
    col,
    type: data_type,
    scale,
    nullable,
    description,
    list: nest?.columns.includes(col) ? nest.name : undefined,
    nativeTypes: typesOf(native),
    textPattern: (createTextCellSchema(filled).pattern ?? null) as string | null,
  };
}

/** The type of JSON values, whose schema has no type. */
export const JSON_VALUE = 'json';

function typesOf({ type, allOf }: Readonly<Record<string, unknown>>): readonly string[] {
  const [exact] = (allOf ?? []) as readonly { readonly type: readonly string[] }[];
  return exact?.type ?? [(type as string | undefined) ?? JSON_VALUE];
}
