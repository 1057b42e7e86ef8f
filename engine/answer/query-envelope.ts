import type { ParameterValues } from '../parameters/parameter-values.js';
import { type Answer, finishedAt, type Plan } from './answer.js';
import { plainNative } from './cells.js';
import { type NativeRow, writeNativeRows } from './row-writer.js';

/** The body of `/q/{name}` and `/q/explain/{name}/`. Times are ISO 8601, UTC. */
export interface QueryEnvelope {
  readonly params: ParameterValues;
  readonly requestedAt: string;
  readonly finishedAt: string;
  /** Until when the same answer may be given again. Nothing is kept yet, so it expires as it is made. */
  readonly expiresAt: string;
  /** Seconds. */
  readonly spent: number;
  readonly sql: string;
  readonly fields: readonly { readonly name: string; readonly columnType: string }[];
  readonly data: readonly NativeRow[];
}

/** Writes an answer with native JSON values: numbers where they are exact, text beyond, null for missing cells. */
export function toQueryEnvelope(answer: Answer): QueryEnvelope {
  const { columns } = answer.endpoint.definition;
  return {
    ...frame(answer),
    fields: columns.map(({ col, data_type }) => ({ name: col, columnType: data_type })),
    data: writeNativeRows(answer.endpoint, answer.rows),
  };
}

/** Writes a plan; its columns are the database's own. */
export function toPlanEnvelope(plan: Plan): QueryEnvelope {
  return {
    ...frame(plan),
    fields: plan.columns.map(({ name, type }) => ({ name, columnType: type })),
    data: plan.rows.map((cells) =>
      Object.fromEntries(plan.columns.map(({ name }, index) => [name, plainNative(cells[index] ?? null)])),
    ),
  };
}

function frame(plan: Plan): Omit<QueryEnvelope, 'fields' | 'data'> {
  const finished = finishedAt(plan).toISOString();
  return {
    params: plan.parameters,
    requestedAt: plan.startedAt.toISOString(),
    finishedAt: finished,
    expiresAt: finished,
    spent: Math.round(plan.ms) / 1000,
    sql: plan.sql,
  };
}
