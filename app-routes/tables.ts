import { exactObject } from '../engine/http/json-schema.js';
import type { OpenOperation } from '../engine/http/operations/operation.js';
import { HttpProblem } from '../engine/http/problems/http-problem.js';
import {
  findTable,
  type TableReferences,
  toTableDetails,
  toTableSummary,
  UnknownTableError,
} from '../warehouse/reference/find-table.js';

/**
 * `/q/tables/` lists the tables that SQL of users can read. `/q/tables/{name}/` describes one of them. The operations run no query.
 * `example` is the name of a table.
 */
export function tableOperations(reference: TableReferences, example: string): OpenOperation[] {
  return [
    {
      ...COMMON,
      id: 'list-tables',
      path: '/q/tables/',
      summary: 'Lists the tables that SQL of users can read',
      description: 'Their meaning, what one row is, which events they come from, and when they change.',
      answer: exactObject('TableList', { data: { type: 'array', items: exactObject('TableSummary', SUMMARY) } }),
      handle: () => ({ body: { data: [...reference].map(([name, table]) => toTableSummary(name, table)) } }),
    },
    {
      ...COMMON,
      id: 'get-table',
      path: '/q/tables/{name}/',
      summary: 'Describes a table and its columns',
      description: 'The types are those of MySQL. The example is SQL that the playground runs.',
      parameters: { name: { ...NAME, maxLength: longestName(reference), example } },
      answer: exactObject('TableDetails', DETAILS),
      errors: ['table_not_found'],
      handle: ({ parameters }) => ({ body: detailsOf(reference, String(parameters.name)) }),
    },
  ];
}

function detailsOf(reference: TableReferences, name: string) {
  try {
    return toTableDetails(...findTable(reference, name));
  } catch (error) {
    if (!(error instanceof UnknownTableError)) throw error;
    throw new HttpProblem('table_not_found', `${error.message} /q/tables/ lists all tables.`);
  }
}

/** At least the maximum length of a name in MySQL. */
function longestName(reference: TableReferences): number {
  return Math.max(64, ...[...reference.keys()].map(({ length }) => length));
}

const COMMON = { access: 'open', tag: 'Queries', method: 'get' } as const;

const NAME = {
  in: 'path',
  type: 'string',
  minLength: 1,
  description: 'Name of the table, in upper or lower case.',
} as const;

const TEXT = { type: 'string' };
const TEXT_OR_NULL = { type: ['string', 'null'] };

const SUMMARY = {
  name: TEXT,
  description: TEXT,
  grain: { ...TEXT_OR_NULL, description: 'What one row is: one row per …' },
  events: {
    type: ['array', 'null'],
    items: TEXT,
    description: 'The types of the events from which the rows come; `*`: every type.',
  },
  since: { ...TEXT_OR_NULL, description: 'The time from which rows can exist.' },
  freshness: { ...TEXT_OR_NULL, description: 'When the rows change.' },
};

const DETAILS = {
  ...SUMMARY,
  condition: { ...TEXT_OR_NULL, description: 'The condition for the rows that can be read; null: all rows.' },
  example: { ...TEXT_OR_NULL, description: 'A SELECT that the playground runs.' },
  columns: {
    type: 'array',
    items: exactObject('TableColumn', {
      name: TEXT,
      type: TEXT,
      unit: { ...TEXT_OR_NULL, description: 'What a number counts or measures; null: an id, a flag or a text.' },
      description: TEXT,
    }),
  },
};
