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
  quoteIdentifier,
  reject,
  requireOnlyFields,
  type Translator,
} from './tree.js';

/** Writes the FROM clause of a SELECT with its joins. Returns an empty text if the query reads no table. */
export function writeFrom(node: Node, to: Translator): string {
  const sources = children({ kind: 'from', fields: part(node.fields, 'from') ?? {} }, 'expressions');
  const joins = parts(node.fields, 'joins');
  const [only] = sources;
  if (only === undefined || (sources.length === 1 && joins.length === 0 && isDual(only))) return '';
  return `FROM ${sources.map((source) => writeSource(source, to)).join(', ')}${joins.map((join) => writeJoin(join, to)).join('')}`;
}

/** Returns true for `DUAL`, which a query may name if it reads no table. */
export function isDual(node: Node): boolean {
  return node.kind === 'table' && nameOf(node.fields.name).toLowerCase() === 'dual';
}

function writeSource(node: Node, to: Translator): string {
  if (node.kind === 'subquery') {
    requireOnlyFields('derived table', node.fields, [
      'this',
      'alias',
      'column_aliases',
      'lateral',
      'order_by',
      'limit',
      'offset',
    ]);
    const inner = to.query(node);
    return `${node.fields.lateral === true ? 'LATERAL ' : ''}(${inner})${writeAlias(node.fields)}`;
  }
  if (node.kind === 'joined_table') {
    requireOnlyFields('join', node.fields, ['left', 'joins']);
    return `(${writeSource(child(node, 'left'), to)}${parts(node.fields, 'joins')
      .map((join) => writeJoin(join, to))
      .join('')})`;
  }
  if (node.kind === 'paren') return `(${writeSource(child(node, 'this'), to)})`;
  if (node.kind !== 'table') return reject(`${formatKind(node.kind)} in FROM`);
  if (node.fields.schema !== null && node.fields.schema !== undefined) {
    reject(
      `The table ${nameOf(node.fields.schema)}.${nameOf(node.fields.name)}`,
      'There is only one database: remove its name.',
    );
  }
  // DuckDB treats such a table name as the path of a file and would read the file.
  if (/[./\\*?]/.test(nameOf(node.fields.name))) reject(`The table name ${nameOf(node.fields.name)}`);
  requireOnlyFields('table', node.fields, ['alias', 'column_aliases', 'hints']);
  return `${quoteIdentifier(node.fields.name)}${writeAlias(node.fields)}`;
}

function writeAlias(fields: Fields): string {
  if (fields.alias === null || fields.alias === undefined) return '';
  const columns = parts(fields, 'column_aliases').map(quoteIdentifier);
  return ` AS ${quoteIdentifier(fields.alias)}${columns.length === 0 ? '' : `(${columns.join(', ')})`}`;
}

function writeJoin(join: Fields, to: Translator): string {
  requireOnlyFields('join', join, ['this', 'on', 'using', 'kind']);
  const node = { kind: 'join', fields: join };
  const source = writeSource(child(node, 'this'), to);
  const kind = String(join.kind);
  if (kind === 'Implicit') return `, ${source}`;
  const words = JOINS[kind] ?? reject(`${kind.toUpperCase()} JOIN`);
  const using = parts(join, 'using').map(quoteIdentifier);
  const on = optionalChild(node, 'on');
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
