import { CONVERSIONS } from './conversions.js';
import { DATES } from './dates.js';
import { LISTS } from './lists.js';
import type { Macro } from './macro.js';
import { NUMBERS } from './numbers.js';
import { TEXTS } from './texts.js';

/**
 * The name of the in-memory database that contains the macros. Every connection of the DuckDB instance can use it.
 * Because the macros are not in the database file, they are up to date even if the file is open for reading only.
 */
export const MACRO_DATABASE = 'mysql';

/**
 * Macros that return the same results as the functions of MySQL. A macro may call only macros that precede it in this
 * list.
 *
 * `typeof` and `current_setting` are constants when DuckDB plans a query: a CASE on them costs nothing when the query runs.
 */
export const MACROS: readonly Macro[] = [...CONVERSIONS, ...NUMBERS, ...DATES, ...TEXTS, ...LISTS];
