import { CONVERSIONS } from './conversions.js';
import { DATES } from './dates.js';
import { LISTS } from './lists.js';
import type { Macro } from './macro.js';
import { NUMBERS } from './numbers.js';
import { TEXTS } from './texts.js';

/**
 * The name of the in-memory database that contains the macros. Every connection of the instance sees it, so that the macros also
 * exist, and are up to date, if the database file is open for reading only.
 */
export const MACRO_DATABASE = 'mysql';

/**
 * Macros that implement the meaning of MySQL's functions. A macro may call only macros before it.
 *
 * `typeof` and `current_setting` are constants when DuckDB plans a query: a CASE on them costs nothing when the query runs.
 */
export const MACROS: readonly Macro[] = [...CONVERSIONS, ...NUMBERS, ...DATES, ...TEXTS, ...LISTS];
