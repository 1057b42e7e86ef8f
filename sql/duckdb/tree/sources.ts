import {
  child,
  children,
  type Fields,
  identifier,
  maybe,
  type Node,
  nameOf,
  onlyFields,
  part,
  parts,
  refuse,
  shown,
  type Translator,
} from './tree.js';

/** The FROM clause of a SELECT with its joins; empty when the query reads no table. */
export function from(node: Node, to: Translator): string {
  const sources = children({ kind: 'from', fields: part(node.fields, 'from') ?? {} }, 'expressions');
  const joins = parts(node.fields, 'joins');
  const [only] = sources;
  if (only === undefined || (sources.length === 1 && joins.length === 0 && isDual(only))) return '';
  return `FROM ${sources.map((source) => table(source, to)).join(', ')}${joins.map((join) => joined(join, to)).join('')}`;
}

/** `DUAL`, which a query may name where it reads no table. */
export function isDual(node: Node): boolean {
  return node.kind === 'table' && nameOf(node.fields.name).toLowerCase() === 'dual';
}

function table(node: Node, to: Translator): string {
  if (node.kind === 'subquery') {
    onlyFields('derived table', node.fields, [
      'this',
      'alias',
      'column_aliases',
      'lateral',
      'order_by',
      'limit',
      'offset',
    ]);
    const inner = to.query(node);
    return `${node.fields.lateral === true ? 'LATERAL ' : ''}(${inner})${alias(node.fields)}`;
  }
  if (node.kind === 'joined_table') {
    onlyFields('join', node.fields, ['left', 'joins']);
    return `(${table(child(node, 'left'), to)}${parts(node.fields, 'joins')
      .map((join) => joined(join, to))
      .join('')})`;
  }
  if (node.kind === 'paren') return `(${table(child(node, 'this'), to)})`;
  if (node.kind !== 'table') return refuse(`${shown(node.kind)} in FROM`);
  if (node.fields.schema !== null && node.fields.schema !== undefined) {
    refuse(
      `The table ${nameOf(node.fields.schema)}.${nameOf(node.fields.name)}`,
      'There is one database: leave its name out.',
    );
  }
  // DuckDB would read a file of that name.
  if (/[./\\*?]/.test(nameOf(node.fields.name))) refuse(`The table name ${nameOf(node.fields.name)}`);
  onlyFields('table', node.fields, ['alias', 'column_aliases', 'hints']);
  return `${identifier(node.fields.name)}${alias(node.fields)}`;
}

function alias(fields: Fields): string {
  if (fields.alias === null || fields.alias === undefined) return '';
  const columns = parts(fields, 'column_aliases').map(identifier);
  return ` AS ${identifier(fields.alias)}${columns.length === 0 ? '' : `(${columns.join(', ')})`}`;
}

function joined(join: Fields, to: Translator): string {
  onlyFields('join', join, ['this', 'on', 'using', 'kind']);
  const node = { kind: 'join', fields: join };
  const source = table(child(node, 'this'), to);
  const kind = String(join.kind);
  if (kind === 'Implicit') return `, ${source}`;
  const words = JOINS[kind] ?? refuse(`${kind.toUpperCase()} JOIN`);
  const using = parts(join, 'using').map(identifier);
  const on = maybe(node, 'on');
  if (using.length > 0) return ` ${words} ${source} USING (${using.join(', ')})`;
  if (on !== undefined) return ` ${words === 'CROSS JOIN' ? 'JOIN' : words} ${source} ON ${to.condition(on)}`;
  return ` ${words === 'JOIN' ? 'CROSS JOIN' : words} ${source}`;
}

const JOINS: Readonly<Record<string, string>> = {
  Inner: 'JOIN',
  Cross: 'CROSS JOIN',
  Straight: 'JOIN',
  Left: 'LEFT JOIN',
  Right: 'RIGHT JOIN',
  Natural: 'NATURAL JOIN',
};
