import { createRequire } from 'node:module';
import type * as NodeApi from '@duckdb/node-api';

/**
 * The values of DuckDB's package. `import` would parse all its 180 files again to find the names of their exports, which takes twice as
 * long as loading the package.
 */
export const { DuckDBInstance, DuckDBTypeId, JsonDuckDBValueConverter, StatementType } = createRequire(import.meta.url)(
  '@duckdb/node-api',
) as typeof NodeApi;

export type DuckDBInstance = NodeApi.DuckDBInstance;

export type DuckDBTypeId = NodeApi.DuckDBTypeId;
export type StatementType = NodeApi.StatementType;
