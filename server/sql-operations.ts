import { playgroundOperation } from '../app-routes/playground/run-sql.js';
import { tableOperations } from '../app-routes/tables.js';
import type { JsonSchema } from '../engine/http/json-schema.js';
import type { Operation } from '../engine/http/operations/operation.js';
import { requestSchema } from '../engine/http/requests/request-schema.js';
import { quoteName } from '../engine/sql/reading/lexemes.js';
import type { Playground } from '../explorer/playground/playground.js';

/**
 * Creates the operations of an API for SQL of callers over its published tables. Plans and drafts are not included: they would show names that
 * are not published, such as indexes, the tables of views, and columns that make a name ambiguous.
 */
export function sqlOperations(playground: Playground, clock: () => Date): Operation[] {
  const [table = ''] = playground.tables.keys();
  return [...tableOperations(playground.tables, table), playgroundOperation(playground, clock, bodyFor(table))];
}

/** Returns the schema of the body, with an example for a table, and without the ids of GitHub that the SQL can bind. */
function bodyFor(table: string): JsonSchema {
  const { dependencies: _, properties, ...schema } = requestSchema('playground');
  const { type: __, id: ___, ...others } = properties as Readonly<Record<string, JsonSchema>>;
  const sql = `SELECT COUNT(*) AS rows_in_table FROM ${quoteName(table)}`;
  return { ...schema, examples: [{ sql }], properties: others };
}
