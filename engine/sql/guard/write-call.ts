import { listFunctions } from '../duckdb/translate.js';
import { isKeywordArgument, readCall } from '../duckdb/tree/function-names.js';
import { unitOf } from '../duckdb/tree/intervals.js';
import { stringValue } from '../duckdb/tree/literals.js';
import { child, type Node, nameOf } from '../reading/tree.js';
import { requireFastPattern } from './patterns.js';
import { reject } from './rejection.js';
import { writeConvert } from './write-cast.js';
import type { Writer } from './writer.js';

/** Writes the call of a listed function. Returns undefined if the node is not a call. */
export function writeCall(node: Node, writer: Writer): string | undefined {
  const called = readCall(node);
  if (called === undefined) return undefined;
  const { name, args } = called;
  if (name === 'CONVERT') return writeConvert(args, writer);
  if (!ALLOWED.has(name)) reject(`the function ${name} is not allowed`, name);
  if (name.startsWith('REGEXP_') && args[1] !== undefined) requireFastPattern(args[1]);
  if (name === 'REGEXP_LIKE') return writeRegexpLike(args, writer);
  const [date, amount] = args;
  const shift = SHIFTS[name];
  if (shift !== undefined && date !== undefined && amount?.kind === 'interval' && args.length === 2)
    return writeShift(shift, date, amount, writer);
  const values = args.map((arg, index) => (isKeywordArgument(name, index) ? writeUnit(arg) : writer.value(arg)));
  // On MySQL, only LOCATE has an argument for the start, not INSTR.
  if (name === 'INSTR' && values.length === 3) return `LOCATE(${values[1]}, ${values[0]}, ${values[2]})`;
  const call = `${name}(${values.join(', ')})`;
  // On MariaDB, the collation of the result of JSON_UNQUOTE conflicts with the collation of a literal. The CAST
  // prevents this.
  return name === 'JSON_UNQUOTE' ? `CAST(${call} AS CHAR)` : call;
}

/** Writes REGEXP_LIKE as REGEXP, because MariaDB has no REGEXP_LIKE. `(?i)` has the same meaning on every database. */
function writeRegexpLike([text, pattern, mode, ...more]: readonly Node[], writer: Writer): string {
  if (text === undefined || pattern === undefined || more.length > 0) {
    return reject('REGEXP_LIKE needs a text, a pattern and optionally a match type', 'REGEXP_LIKE');
  }
  const type = mode === undefined ? 'c' : stringValue(mode);
  if (type !== 'c' && type !== 'i')
    reject("the match type of REGEXP_LIKE must be the literal 'c' or 'i'", 'REGEXP_LIKE');
  const written = writer.value(pattern);
  return `(${writer.value(text)} REGEXP ${type === 'i' ? `CONCAT('(?i)', ${written})` : written})`;
}

/** The function that shifts a date by an INTERVAL, for each function that can also shift it by a number of days. */
const SHIFTS: Readonly<Record<string, Shift>> = { ADDDATE: 'DATE_ADD', SUBDATE: 'DATE_SUB' };

type Shift = 'DATE_ADD' | 'DATE_SUB';

/** Writes a date shifted by an INTERVAL as a call, because TiDB reads `x + INTERVAL (1 + 1) DAY` as a call of the function INTERVAL. */
export function writeShift(shift: Shift, date: Node, amount: Node, writer: Writer): string {
  return `${shift}(${writer.value(date)}, ${writeInterval(amount, writer)})`;
}

export function writeInterval(node: Node, writer: Writer): string {
  return `INTERVAL ${writer.value(child(node, 'this'))} ${unitOf(node)}`;
}

/**
 * The functions of the documented dialect. None of them accesses files, the network, the catalog, locks, variables or
 * accounts, or waits.
 */
const ALLOWED = new Set(listFunctions());

function writeUnit(node: Node): string {
  return node.kind === 'column' ? unitOf(nameOf(node.fields.name)) : reject('expected a unit of time');
}
