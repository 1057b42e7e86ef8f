import { draftOperation } from '../app-routes/playground/draft-endpoint.js';
import { playgroundOperation } from '../app-routes/playground/run-sql.js';
import type { ReadyParts } from '../app-routes/ready.js';
import { tableOperations } from '../app-routes/tables.js';
import type { JsonSchema } from '../engine/http/json-schema.js';
import type { Operation } from '../engine/http/operations/operation.js';
import { requestSchema } from '../engine/http/requests/request-schema.js';
import type { Database } from '../engine/index.js';
import { quoteName } from '../engine/sql/reading/lexemes.js';
import type { Playground } from '../explorer/playground/playground.js';
import { readOwnCatalogue } from './databases/own-catalogue.js';
import { publishedPartOf } from './databases/published-tables.js';
import { scopeOf } from './definitions.js';
import type { ApiFolder } from './settings/api-folder.js';

export interface SqlOperationParts {
  readonly playground: Playground;
  readonly database: Database;
  readonly clock: () => Date;
  readonly definitions: ReadyParts['definitions'];
}

/**
 * Creates the operations of an API for SQL of callers over its published tables. Plans are not included, because they name indexes and the
 * tables of views, which are not published.
 */
export function sqlOperations(
  api: ApiFolder,
  { playground, database, clock, definitions }: SqlOperationParts,
): Operation[] {
  const rules = {
    readTables: async (signal: AbortSignal) => {
      const { readCatalogueMeanings } = await import('../engine/authoring/index.js');
      const catalogue = publishedPartOf(await readOwnCatalogue(api, database, signal), playground.tables);
      return readCatalogueMeanings(catalogue, database, signal);
    },
    scope: scopeOf({ api }),
    prefix: api.prefixes[0] ?? '',
    isVersioned: (table: string) => api.tables.some(({ name }) => name === table),
  };
  const [table = ''] = playground.tables.keys();
  const [query, draft] = [bodyFor(table, 'playground'), bodyFor(table, 'draft')];
  return [
    ...tableOperations(playground.tables, table),
    playgroundOperation(playground, clock, query),
    draftOperation({ playground, database, definitions, rules, body: draft }),
  ];
}

/** Returns the schema of a body, with an example for a table, and without the ids of GitHub that the SQL can bind. */
function bodyFor(table: string, name: 'playground' | 'draft'): JsonSchema {
  const { dependencies: _, properties, ...schema } = requestSchema(name);
  const { type: __, id: ___, ...others } = properties as Readonly<Record<string, JsonSchema>>;
  const sql = `SELECT COUNT(*) AS rows_in_table FROM ${quoteName(table)}`;
  return { ...schema, examples: [{ sql }], properties: others };
}
