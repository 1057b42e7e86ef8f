import { isDual } from '../duckdb/tree/sources.js';
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
} from '../duckdb/tree/tree.js';
import { refuse } from './rejection.js';
import { commonColumns, joined, NO_TABLES, Scope } from './scope.js';
import { quotedName, type Writer, type WrittenFrom } from './writer.js';

/** The FROM clause of a SELECT with its joins; an empty text when the query reads no table. */
export function writeFrom(node: Node, writer: Writer): WrittenFrom {
  const sources = children({ kind: 'from', fields: part(node.fields, 'from') ?? {} }, 'expressions');
  const joins = parts(node.fields, 'joins');
  const [only, ...more] = sources;
  if (only === undefined || (sources.length === 1 && joins.length === 0 && isDual(only))) {
    return { text: '', from: NO_TABLES };
  }
  const listed = [only, ...more].map((source) => writeSource(source, writer));
  // A comma binds less than JOIN: the condition of a JOIN knows no table before the comma.
  for (const join of joins) {
    const last = listed.pop() ?? { text: '', from: NO_TABLES };
    if (String(join.kind) === 'Implicit') listed.push(last, writeImplicit(join, writer));
    else listed.push(writeJoin(last, join, writer));
  }
  return {
    text: `FROM ${listed.map(({ text }) => text).join(', ')}`,
    from: listed.map(({ from }) => from).reduce((left, right) => joined(left, right)),
  };
}

function writeSource(node: Node, writer: Writer): WrittenFrom {
  switch (node.kind) {
    case 'table':
      return writeTable(node, writer);
    case 'subquery':
      onlyFields('derived table', node.fields, ['this', 'alias', 'order_by', 'limit', 'offset']);
      return writeDerived(node, writer);
    case 'joined_table': {
      onlyFields('join', node.fields, ['left', 'joins']);
      const left = writeSource(child(node, 'left'), writer);
      return inParentheses(parts(node.fields, 'joins').reduce((before, join) => writeJoin(before, join, writer), left));
    }
    case 'paren':
      return inParentheses(writeSource(child(node, 'this'), writer));
    default:
      return refuse(`${shown(node.kind)} is not allowed in FROM`);
  }
}

function inParentheses({ text, from }: WrittenFrom): WrittenFrom {
  return { text: `(${text})`, from };
}

/** Without a name each database has its own error. */
function writeDerived(node: Node, writer: Writer): WrittenFrom {
  const { alias } = node.fields;
  if (alias === null || alias === undefined) refuse('a derived table needs a name, by AS', 'FROM');
  return writer.derived(writer.alone(node), alias);
}

function writeTable(node: Node, writer: Writer): WrittenFrom {
  const name = nameOf(node.fields.name);
  const { schema } = node.fields;
  if (schema !== null && schema !== undefined) {
    refuse(`${nameOf(schema)}.${name} names a database; a table is named alone`, '', schema);
  }
  onlyFields('table', node.fields, ['alias', 'hints']);
  return writer.table(node.fields.name, node.fields.alias ?? node.fields.name);
}

function writeImplicit(join: Fields, writer: Writer): WrittenFrom {
  onlyFields('join', join, ['this', 'kind']);
  return writeSource(child({ kind: 'join', fields: join }, 'this'), writer);
}

/** The sides of a JOIN that is written `left JOIN right`. */
function writeJoin(left: WrittenFrom, join: Fields, writer: Writer): WrittenFrom {
  onlyFields('join', join, ['this', 'on', 'using', 'kind']);
  // `a JOIN b JOIN c ON … ON …` would have its conditions elsewhere than it is written.
  if (join.deferred_condition === true) refuse('each ON stands right after its JOIN', 'JOIN');
  const node = { kind: 'join', fields: join };
  const kind = String(join.kind);
  const words = JOINS[kind] ?? refuse(`${kind.toUpperCase()} JOIN is not allowed`, 'JOIN');
  const right = writeSource(child(node, 'this'), writer);
  const using = parts(join, 'using');
  const from = joined(left.from, right.from, kind === 'Natural' ? commonColumns(left.from, right.from) : using);
  const end = condition(node, using, writer.within(new Scope(from, writer.scope)));
  return { text: `${left.text} ${words} ${right.text}${end}`, from };
}

function condition(join: Node, using: readonly Fields[], writer: Writer): string {
  if (using.length > 0) return ` USING (${using.map((name) => quotedName(nameOf(name))).join(', ')})`;
  const on = maybe(join, 'on');
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
