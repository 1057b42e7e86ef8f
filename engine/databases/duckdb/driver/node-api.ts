import { createRequire } from 'node:module';
import type * as NodeApi from '@duckdb/node-api';
import type Bindings from '@duckdb/node-bindings';

const require = createRequire(import.meta.url);

/**
 * The exports of DuckDB's package. They are loaded with `require`, because `import` would parse all 180 files again to
 * find the names of their exports, which takes twice as long as loading the package.
 */
export const { DuckDBInstance, DuckDBTypeId, JsonDuckDBValueConverter, StatementType } =
  require('@duckdb/node-api') as typeof NodeApi;

/** The functions of DuckDB on which `@duckdb/node-api` is built. */
export const bindings = require('@duckdb/node-bindings') as typeof Bindings;

export type DuckDBInstance = NodeApi.DuckDBInstance;

export type DuckDBTypeId = NodeApi.DuckDBTypeId;
export type StatementType = NodeApi.StatementType;
