import type { Endpoint } from '../endpoint/endpoint.js';
import type { Warning } from './warning.js';

/** Finds mistakes that the SQL need not be read for. */
export function lintDefinition({ definition, tables, problem }: Endpoint): Warning[] {
  if (definition.data_as_of !== undefined || tables.size === 0) return [];
  return [
    {
      ...problem(['sql'], 'Without data_as_of, the age of the data is unknown, and every answer is marked as stale', {
        at: 'key',
      }),
      rule: 'no-data-as-of',
      fix: 'add the key data_as_of with a SELECT of the time of the newest fact',
    },
  ];
}
