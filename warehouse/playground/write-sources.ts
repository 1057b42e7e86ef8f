import { isDual } from '../../databases/duckdb/translate/sources.js';
import {
  child,
  children,
  type Fields,
  maybe,
  type Node,
  nameOf,
  onlyFields,
  part,
  parts,
  shown,
} from '../../databases/duckdb/translate/tree.js';
import { requireDistinctNames } from './distinct-names.js';
import { refuse } from './refusal.js';
import { quotedName, type Writer } from './writer.js';

/** The FROM clause of a SELECT with its joins; empty when the query reads no table. */
export function writeFrom(node: Node, writer: Writer): string {
  const sources = children({ kind: 'from', fields: part(node.fields, 'from') ?? {} }, 'expressions');
  const joins = parts(node.fields, 'joins');
  const [only] = sources;
  if (only === undefined || (sources.length === 1 && joins.length === 0 && isDual(only))) return '';
  return `FROM ${sources.map((source) => writeSource(source, writer)).join(', ')}${writeJoins(joins, writer)}`;
}

function writeSource(node: Node, writer: Writer): string {
  switch (node.kind) {
    case 'table':
      return writeTable(node, writer);
    case 'subquery':
      onlyFields('derived table', node.fields, ['this', 'alias', 'order_by', 'limit', 'offset']);
      return writeDerived(node, writer);
    case 'joined_table':
      onlyFields('join', node.fields, ['left', 'joins']);
      return `(${writeSource(child(node, 'left'), writer)}${writeJoins(parts(node.fields, 'joins'), writer)})`;
    case 'paren':
      return `(${writeSource(child(node, 'this'), writer)})`;
    default:
      return refuse(`${shown(node.kind)} is not allowed in FROM`);
  }
}

/** Without a name each database has its own error. */
function writeDerived(node: Node, writer: Writer): string {
  const { alias } = node.fields;
  if (alias === null || alias === undefined) refuse('a derived table needs a name, by AS', 'FROM');
  requireDistinctNames(node);
  const query = writer.alone(node);
  return `(${query}) AS ${quotedName(writer.alias(nameOf(alias)))}`;
}

function writeTable(node: Node, writer: Writer): string {
  const name = nameOf(node.fields.name);
  const { schema } = node.fields;
  if (schema !== null && schema !== undefined) {
    refuse(`${nameOf(schema)}.${name} names a database; a table is named alone`, nameOf(schema));
  }
  onlyFields('table', node.fields, ['alias', 'hints']);
  const { alias } = node.fields;
  const called = quotedName(writer.alias(alias === null || alias === undefined ? name : nameOf(alias)));
  return `${writer.table(name)} AS ${called}`;
}

function writeJoins(joins: readonly Fields[], writer: Writer): string {
  return joins.map((join) => writeJoin(join, writer)).join('');
}

function writeJoin(join: Fields, writer: Writer): string {
  onlyFields('join', join, ['this', 'on', 'using', 'kind']);
  // `a JOIN b JOIN c ON … ON …` would have its conditions elsewhere than it is written.
  if (join.deferred_condition === true) refuse('each ON stands right after its JOIN', 'JOIN');
  const node = { kind: 'join', fields: join };
  const source = writeSource(child(node, 'this'), writer);
  const kind = String(join.kind);
  if (kind === 'Implicit') return `, ${source}`;
  const words = JOINS[kind] ?? refuse(`${kind.toUpperCase()} JOIN is not allowed`, 'JOIN');
  const using = parts(join, 'using').map((name) => quotedName(nameOf(name)));
  const on = maybe(node, 'on');
  if (using.length > 0) return ` ${words} ${source} USING (${using.join(', ')})`;
  return ` ${words} ${source}${on === undefined ? '' : ` ON ${writer.value(on)}`}`;
}

const JOINS: Readonly<Record<string, string>> = {
  Inner: 'JOIN',
  Cross: 'CROSS JOIN',
  Straight: 'JOIN',
  Left: 'LEFT JOIN',
  Right: 'RIGHT JOIN',
  Natural: 'NATURAL JOIN',
};
