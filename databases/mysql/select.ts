import type { PreparedQuery } from '../../engine/database.js';
import { NOT_CODE } from '../../engine/sql/lexemes.js';
import { createSqlReader } from '../../engine/sql/sql-reader.js';
import { portableSql } from './portable-sql.js';

/** A SELECT as the protocol has it: `?` for every marker, and which value each one takes. */
export class Select implements PreparedQuery {
  readonly sql: string;
  /** Positions in the values, from 0, in the order of the `?`. */
  readonly order: readonly number[];

  /** Takes one SELECT with markers `:p1`, `:p2`, …; throws an error for anything else. */
  constructor(sql: string) {
    refuseOthers(sql);
    ({ sql: this.sql, order: this.order } = positional(portableSql(sql)));
  }
}

/** The text with a `?` for every marker, and which value, from 0, each of them takes. */
export function positional(sql: string): { readonly sql: string; readonly order: readonly number[] } {
  const order: number[] = [];
  const text = sql.replace(MARKERS, (token, place: string | undefined) => {
    if (place === undefined) return token;
    order.push(Number(place) - 1);
    return '?';
  });
  return { sql: text, order };
}

/** What must be left alone, then a marker. */
const MARKERS = new RegExp(`${NOT_CODE}|:p(\\d+)`, 'gs');

function refuseOthers(sql: string): void {
  const reading = createSqlReader()(sql);
  if ('message' in reading) throw new Error(`Only one SELECT can be run: ${reading.message}`);
  const refused = reading.findings.refused.find(({ token }) => WRITES.has(token));
  if (refused !== undefined) throw new Error(`Only a SELECT that writes nothing can be run: ${refused.message}`);
}

const WRITES = new Set(['INTO', 'FOR', 'WITH']);
