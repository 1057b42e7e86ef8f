import type { EndpointDefinition } from '../definition/definition.js';

/** How the columns of the database differ from the declared ones, such as after `SELECT *`; undefined where they do not. */
export function otherColumns({ columns }: EndpointDefinition, names: readonly string[]): string | undefined {
  if (names.length === columns.length && columns.every(({ col }, index) => names[index] === col)) return undefined;
  const declared = columns.map(({ col }) => col).join(', ');
  return `the database gave other columns than declared: expected ${declared}, got ${names.join(', ')}`;
}
