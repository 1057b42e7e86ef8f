import { DERIVED_TABLES } from './reference/derived-tables.js';
import { EVENT_TABLES } from './reference/event-table.js';
import { LIST_TABLES } from './reference/list-tables.js';
import { PROFILE_TABLES } from './reference/profile-tables.js';
import { SCORE_TABLES } from './reference/score-tables.js';
import type { TableReference } from './reference/table-reference-entry.js';

/**
 * The tables and columns that untrusted SQL may read, with their meaning. This is the only list: the guard for untrusted SQL, the
 * documentation and the prompts of the language model are derived from it. The list must not mention private data.
 */
export const TABLE_REFERENCE: ReadonlyMap<string, TableReference> = new Map(
  Object.entries({ ...EVENT_TABLES, ...PROFILE_TABLES, ...LIST_TABLES, ...DERIVED_TABLES, ...SCORE_TABLES }),
);
