import { publicTablesOf } from './reference/find-table.js';
import { TABLE_REFERENCE } from './table-reference.js';

/** The tables and columns that untrusted SQL may read. Everything else is hidden from it, such as e-mail addresses. */
export const PUBLIC_TABLES = publicTablesOf(TABLE_REFERENCE);
