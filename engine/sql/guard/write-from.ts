import { isDual } from '../duckdb/tree/from-clause.js';
import {
  child,
  children,
  type Fields,
  formatKind,
  type Node,
  nameOf,
  optionalChild,
  part,
  parts,
  requireOnlyFields,
} from '../duckdb/tree/tree.js';
import { reject } from './rejection.js';
import { commonColumns, joinFrom, NO_TABLES, Scope } from './scope.js';
import { quoteName, type Writer, type WrittenFrom } from './writer.js';

/** Writes the FROM clause of a SELECT with its joins. Its text is empty if the query reads no table. */
export function writeFrom(node: Node, writer: Writer): WrittenFrom {
  const sources = children({ kind: 'from', fields: part(node.fields, 'from') ?? {} }, 'expressions');
  const joins = parts(node.fields, 'joins');
  const [only, ...more] = sources;
  if (only === undefined || (sources.length === 1 && joins.length === 0 && isDual(only))) {
    return { text: '', from: NO_TABLES };
  }
  const listed = [only, ...more].map((source) => writeSource(source, writer));
  // A comma binds weaker than JOIN, so the condition of a JOIN cannot use a table that precedes the comma.
  for (const join of joins) {
    const last = listed.pop() ?? { text: '', from: NO_TABLES };
    if (String(join.kind) === 'Implicit') listed.push(last, writeCommaSource(join, writer));
    else listed.push(writeJoin(last, join, writer));
  }
  return {
    text: `FROM ${listed.map(({ text }) => text).join(', ')}`,
    from: listed.map(({ from }) => from).reduce((left, right) => joinFrom(left, right)),
  };
}

function writeSource(node: Node, writer: Writer): WrittenFrom {
  switch (node.kind) {
    case 'table':
      return writeTable(node, writer);
    case 'subquery':
      requireOnlyFields('derived table', node.fields, ['this', 'alias', 'order_by', 'limit', 'offset']);
      return writeDerived(node, writer);
    case 'joined_table': {
      requireOnlyFields('join', node.fields, ['left', 'joins']);
      const left = writeSource(child(node, 'left'), writer);
      return parenthesize(parts(node.fields, 'joins').reduce((before, join) => writeJoin(before, join, writer), left));
    }
    case 'paren':
      return parenthesize(writeSource(child(node, 'this'), writer));
    default:
      return reject(`${formatKind(node.kind)} is not allowed in FROM`);
  }
}

function parenthesize({ text, from }: WrittenFrom): WrittenFrom {
  return { text: `(${text})`, from };
}

/** Writes a derived table. Requires a name, because each database reports a different error if the name is missing. */
function writeDerived(node: Node, writer: Writer): WrittenFrom {
  const { alias } = node.fields;
  if (alias === null || alias === undefined) reject('a derived table needs a name: write AS name', 'FROM');
  return writer.derived(writer.isolatedQuery(node), alias);
}

function writeTable(node: Node, writer: Writer): WrittenFrom {
  const name = nameOf(node.fields.name);
  const { schema } = node.fields;
  if (schema !== null && schema !== undefined) {
    reject(`${nameOf(schema)}.${name} names a database; write the name of the table only`, '', schema);
  }
  requireOnlyFields('table', node.fields, ['alias', 'hints']);
  return writer.table(node.fields.name, node.fields.alias ?? node.fields.name);
}

function writeCommaSource(join: Fields, writer: Writer): WrittenFrom {
  requireOnlyFields('join', join, ['this', 'kind']);
  return writeSource(child({ kind: 'join', fields: join }, 'this'), writer);
}

/** Writes `left JOIN right`. */
function writeJoin(left: WrittenFrom, join: Fields, writer: Writer): WrittenFrom {
  requireOnlyFields('join', join, ['this', 'on', 'using', 'kind']);
  // In the tree of `a JOIN b JOIN c ON … ON …`, the conditions do not belong to the same joins as in the text.
  if (join.deferred_condition === true) reject('write each ON directly after its JOIN', 'JOIN');
  const node = { kind: 'join', fields: join };
  const kind = String(join.kind);
  const words = JOINS[kind] ?? reject(`${kind.toUpperCase()} JOIN is not allowed`, 'JOIN');
  const right = writeSource(child(node, 'this'), writer);
  const using = parts(join, 'using');
  const from = joinFrom(left.from, right.from, kind === 'Natural' ? commonColumns(left.from, right.from) : using);
  const end = writeJoinCondition(node, using, writer.withScope(new Scope(from, writer.scope)));
  return { text: `${left.text} ${words} ${right.text}${end}`, from };
}

function writeJoinCondition(join: Node, using: readonly Fields[], writer: Writer): string {
  if (using.length > 0) requireOnlyFields('join with USING', join.fields, ['this', 'using', 'kind']);
  if (using.length > 0) return ` USING (${using.map((name) => quoteName(nameOf(name))).join(', ')})`;
  const on = optionalChild(join, 'on');
  return on === undefined ? '' : ` ON ${writer.clause(on)}`;
}

const JOINS: Readonly<Record<string, string>> = {
  Inner: 'JOIN',
  Cross: 'CROSS JOIN',
  Straight: 'JOIN',
  Left: 'LEFT JOIN',
  Right: 'RIGHT JOIN',
  Natural: 'NATURAL JOIN',
};
