import { knownFunctions } from '../duckdb/translate.js';
import { calledFunction, isWord } from '../duckdb/tree/function-names.js';
import { unitOf } from '../duckdb/tree/intervals.js';
import { stringValue } from '../duckdb/tree/literals.js';
import { child, type Node, nameOf } from '../duckdb/tree/tree.js';
import { refuse } from './rejection.js';
import { writeConvert } from './write-cast.js';
import type { Writer } from './writer.js';

/** A call of a function that is on the list; undefined where the node is no call. */
export function writeCall(node: Node, writer: Writer): string | undefined {
  const called = calledFunction(node);
  if (called === undefined) return undefined;
  const { name, args } = called;
  if (name === 'CONVERT') return writeConvert(args, writer);
  if (!ALLOWED.has(name)) refuse(`the function ${name} is not among those that may be called`, name);
  if (name === 'REGEXP_LIKE') return regexpLike(args, writer);
  const values = args.map((arg, place) => (isWord(name, place) ? unit(arg) : argument(name, place, arg, writer)));
  // INSTR takes no start on MySQL.
  if (name === 'INSTR' && values.length === 3) return `LOCATE(${values[1]}, ${values[0]}, ${values[2]})`;
  const call = `${name}(${values.join(', ')})`;
  // On MariaDB it has a collation that meets no literal.
  return name === 'JSON_UNQUOTE' ? `CAST(${call} AS CHAR)` : call;
}

/** MariaDB does not have it. `(?i)` means the same in every database's regular expressions. */
function regexpLike([text, pattern, mode, ...more]: readonly Node[], writer: Writer): string {
  if (text === undefined || pattern === undefined || more.length > 0) {
    return refuse('REGEXP_LIKE takes a text, a pattern, and a match type', 'REGEXP_LIKE');
  }
  const type = mode === undefined ? 'c' : stringValue(mode);
  if (type !== 'c' && type !== 'i') refuse("the match type of REGEXP_LIKE is the literal 'c' or 'i'", 'REGEXP_LIKE');
  const written = writer.value(pattern);
  return `(${writer.value(text)} REGEXP ${type === 'i' ? `CONCAT('(?i)', ${written})` : written})`;
}

/** INTERVAL is no value on every database. */
function argument(name: string, place: number, node: Node, writer: Writer): string {
  const isShift = name === 'ADDDATE' || name === 'SUBDATE';
  return isShift && place === 1 ? writeAmount(node, writer) : writer.value(node);
}

/** What is added to a date: a value, or an INTERVAL. */
export function writeAmount(node: Node, writer: Writer): string {
  if (node.kind !== 'interval') return writer.value(node);
  return `INTERVAL ${writer.value(child(node, 'this'))} ${unitOf(node)}`;
}

/** What the documented dialect knows: no file, network, catalogue, lock, variable, account, time to sleep. */
const ALLOWED = new Set(knownFunctions());

function unit(node: Node): string {
  return node.kind === 'column' ? unitOf(nameOf(node.fields.name)) : refuse('a unit of time is expected');
}
