import type { PreparedQuery } from '../../../engine/index.js';
import { toPortableSql } from '../../../sql/mysql/portable-sql.js';
import { NOT_CODE } from '../../../sql/reading/lexemes.js';
import { createSqlReader } from '../../../sql/reading/sql-reader.js';
import { translateForTidb } from '../../../sql/tidb/translate.js';
import type { Flavor } from './flavor.js';

/** A statement as the protocol has it. */
export interface Positional {
  /** With a `?` for every marker. */
  readonly sql: string;
  /** The texts before, between and after the `?`. */
  readonly parts: readonly string[];
  /** Which value, from 0, each `?` takes. */
  readonly order: readonly number[];
}

/** A SELECT, in the text that its server takes. */
export class Select implements PreparedQuery, Positional {
  readonly sql: string;
  readonly parts: readonly string[];
  readonly order: readonly number[];

  /** Takes one SELECT with markers `:p1`, `:p2`, …; throws an error for anything else. */
  constructor(sql: string, flavor: Flavor) {
    refuseOthers(sql);
    const portable = toPortableSql(sql);
    const { sql: text, parts, order } = positional(flavor === 'tidb' ? translateForTidb(portable) : portable);
    this.sql = text;
    this.parts = parts;
    this.order = order;
  }
}

export function positional(sql: string): Positional {
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

/** What must be left alone, then a marker. */
const MARKERS = new RegExp(`${NOT_CODE}|:p(\\d+)`, 'gs');

function refuseOthers(sql: string): void {
  const reading = createSqlReader()(sql);
  if ('message' in reading) throw new Error(`Only one SELECT can be run: ${reading.message}`);
  const refused = reading.findings.rejections.find(({ token }) => WRITES.has(token));
  if (refused !== undefined) throw new Error(`Only a SELECT that writes nothing can be run: ${refused.message}`);
}

const WRITES = new Set(['INTO', 'FOR', 'WITH']);
