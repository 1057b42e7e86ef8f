import type { PublicTables } from '../engine/sql/guard/public-table.js';
import { TABLE_REFERENCE } from './table-reference.js';

/** The tables and columns that untrusted SQL may read. Everything else is hidden from it, such as e-mail addresses. */
export const PUBLIC_TABLES: PublicTables = new Map(
  [...TABLE_REFERENCE].map(([name, { columns, where }]) => [
    name,
    { columns: [...columns.keys()], ...(where !== undefined && { where }) },
  ]),
);
