import { toPortableSql } from '../../../sql/portable-sql.js';
import { NOT_CODE } from '../../../sql/reading/lexemes.js';
import { createSqlReader } from '../../../sql/reading/sql-reader.js';
import { translateForTidb } from '../../../sql/tidb/translate.js';
import type { PreparedQuery } from '../../interface/database.js';
import type { Flavor } from './flavor.js';

/** A statement with the placeholders `?` of the MySQL protocol. */
export interface Positional {
  /** The text, with a `?` for each placeholder. */
  readonly sql: string;
  /** The texts before, between and after the `?`. */
  readonly parts: readonly string[];
  /** For each `?`, the index of its value in the list of values, from 0. */
  readonly order: readonly number[];
}

/** A SELECT in the dialect of its server. */
export class Select implements PreparedQuery, Positional {
  readonly sql: string;
  readonly parts: readonly string[];
  readonly order: readonly number[];
  /** The settings for this statement only, with which its text begins. */
  readonly settings: string;

  /** `sql` must be one SELECT with placeholders `:p1`, `:p2`, …. Throws an error for any other statement. */
  constructor(sql: string, flavor: Flavor) {
    requireSelect(sql);
    const { settings, text: written } = writeForServer(sql, flavor);
    const { sql: text, parts, order } = toPositional(written);
    const [first = '', ...rest] = parts;
    this.settings = settings;
    this.sql = this.settings + text;
    this.parts = [this.settings + first, ...rest];
    this.order = order;
  }
}

/** Returns a SELECT with its placeholders `:p1`, `:p2`, … in the dialect of a server, and the settings with which its statement begins. */
export function writeForServer(sql: string, flavor: Flavor): { readonly text: string; readonly settings: string } {
  const portable = toPortableSql(sql);
  const text = flavor === 'tidb' ? translateForTidb(portable) : portable;
  return { text, settings: flavor === 'mariadb' ? settingsOf(text) : '' };
}

/**
 * MariaDB 10.11 returns wrong rows of some SELECTs with a window function over a derived table or view that it merges, and can end for several
 * window functions over such tables. So the derived tables of row filters are not merged, although the server then estimates too many rows for
 * untrusted sessions (`max_join_size`). Other SELECTs would need much more memory and time without this optimization; for IN and EXISTS, it
 * is sufficient that their rows are not materialized, except in the queries of docs/sql-dialect.md.
 */
function settingsOf(text: string): string {
  if (!WINDOW.test(text)) return '';
  if (FILTERED.test(text)) return "SET STATEMENT optimizer_switch = 'derived_merge=off', sql_big_selects = 1 FOR ";
  return SUBQUERY.test(text) ? "SET STATEMENT optimizer_switch = 'materialization=off' FOR " : '';
}

const WINDOW = /\bover\b/i;
/** Matches the derived table of a row filter. */
const FILTERED = /\(\s*select \* from\b/i;
/** Matches IN, EXISTS, ANY, SOME or ALL with a subquery. */
const SUBQUERY = /\b(?:in|exists|any|some|all)\s*\(\s*(?:select|with)\b/i;

/** Replaces the placeholders `:p1`, `:p2`, … of a statement by `?`. */
export function toPositional(sql: string): Positional {
  const parts: string[] = [];
  const order: number[] = [];
  let start = 0;
  for (const { 0: token, 1: place, index } of sql.matchAll(MARKERS)) {
    if (place === undefined) continue;
    parts.push(sql.slice(start, index));
    order.push(Number(place) - 1);
    start = index + token.length;
  }
  parts.push(sql.slice(start));
  return { sql: parts.join('?'), parts, order };
}

/** Matches a placeholder, or a string, a comment or a quoted name, in which placeholders are not replaced. */
const MARKERS = new RegExp(`${NOT_CODE}|:p(\\d+)`, 'gs');

function requireSelect(sql: string): void {
  const reading = createSqlReader()(sql);
  if ('message' in reading) throw new Error(`Expected one SELECT: ${reading.message}`);
  const write = reading.findings.rejections.find(({ token }) => WRITES.has(token));
  if (write !== undefined) throw new Error(`Expected a SELECT that does not write: ${write.message}`);
}

const WRITES = new Set(['INTO', 'FOR', 'WITH']);
