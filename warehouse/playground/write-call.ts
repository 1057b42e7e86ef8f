import { calledFunction } from '../../databases/duckdb/translate/function-names.js';
import { unitOf } from '../../databases/duckdb/translate/intervals.js';
import { type Node, nameOf } from '../../databases/duckdb/translate/tree.js';
import { knownFunctions } from '../../databases/duckdb/translate.js';
import { refuse } from './refusal.js';
import { writeConvert } from './write-cast.js';
import type { Writer } from './writer.js';

/** A call of a function that is on the list; undefined where the node is no call. */
export function writeCall(node: Node, writer: Writer): string | undefined {
  const called = calledFunction(node);
  if (called === undefined) return undefined;
  const { name, args } = called;
  if (name === 'CONVERT') return writeConvert(args, writer);
  if (!ALLOWED.has(name)) refuse(`the function ${name} is not among those that may be called`, name);
  const values = args.map((arg, place) => (place === 0 && UNIT_FIRST.has(name) ? unit(arg) : writer.value(arg)));
  // INSTR takes no start on MySQL.
  if (name === 'INSTR' && values.length === 3) return `LOCATE(${values[1]}, ${values[0]}, ${values[2]})`;
  const call = `${name}(${values.join(', ')})`;
  // On MariaDB it has a collation that meets no literal.
  return name === 'JSON_UNQUOTE' ? `CAST(${call} AS CHAR)` : call;
}

/** What the documented dialect knows: no file, network, catalogue, lock, variable, account, time to sleep. */
const ALLOWED = new Set(knownFunctions());

const UNIT_FIRST = new Set(['TIMESTAMPDIFF', 'TIMESTAMPADD']);

function unit(node: Node): string {
  return node.kind === 'column' ? unitOf(nameOf(node.fields.name)) : refuse('a unit of time is expected');
}
