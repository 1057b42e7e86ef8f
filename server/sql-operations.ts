import { playgroundOperation } from '../app-routes/playground/run-sql.js';
import { tableOperations } from '../app-routes/tables.js';
import type { JsonSchema } from '../engine/http/json-schema.js';
import { forCallers, type Operation } from '../engine/http/operations/operation.js';
import { requestSchema } from '../engine/http/requests/request-schema.js';
import { quoteName } from '../engine/sql/reading/lexemes.js';
import type { Playground } from '../explorer/playground/playground.js';

/**
 * Creates the operations of an API for SQL of callers over its published tables. Plans and drafts are not included: they would show names that
 * are not published, such as indexes, the tables of views, and columns that make a name ambiguous.
 */
export function sqlOperations(playground: Playground, clock: () => Date): Operation[] {
  const { tables, access } = playground;
  const { definition } = access;
  const [first = ''] = tables.keys();
  // The description of the operations is public, so it contains no name of a table that only some callers can read.
  const [table, sql] =
    definition.access === undefined
      ? [first, `SELECT COUNT(*) AS rows_in_table FROM ${quoteName(first)}`]
      : ['name-of-a-table', ANY_SQL];
  const ofTables = tableOperations(tables, table).map((operation) => forCallers(operation, definition));
  return [...ofTables, playgroundOperation(playground, clock, bodyWith(sql))];
}

/** SQL that names no table. */
export const ANY_SQL = 'SHOW TABLES';

/** Returns the schema of the body, with an example, and without the ids of GitHub that the SQL can bind. */
function bodyWith(sql: string): JsonSchema {
  const { dependencies: _, properties, ...schema } = requestSchema('playground');
  const { type: __, id: ___, ...others } = properties as Readonly<Record<string, JsonSchema>>;
  return { ...schema, examples: [{ sql }], properties: others };
}
