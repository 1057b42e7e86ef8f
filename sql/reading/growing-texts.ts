import { expressionsOf, firstEntry, nameOf, outputName, type Tree } from './parts.js';

/**
 * Finds the texts of a WITH RECURSIVE that grow from a text with the length of its first value: a server cannot store the second
 * value. A column has a known length, and can be long enough. Returns the messages for the author.
 */
export function findGrowingTexts(clause: Tree): string[] {
  if (clause.recursive !== true || !Array.isArray(clause.ctes)) return [];
  return (clause.ctes as readonly Tree[]).flatMap((cte) => {
    const [kind, { left, right }] = firstEntry(cte.this);
    if (kind !== 'union') return [];
    const [first = [], next = []] = [left, right].map((side) => expressionsOf(firstEntry(side)[1]));
    const names = Array.isArray(cte.columns) ? cte.columns.map(nameOf) : [];
    return first.flatMap((item, index) => {
      const name = names[index] ?? outputName(item);
      if (name === null || !isShortText(withoutAlias(item)) || !isAppended(next[index], name)) return [];
      return `the text ${name} of ${nameOf(cte.alias)} cannot become longer than its first value: write CAST(… AS CHAR(200)) there`;
    });
  });
}

/** A literal, and a CAST of it without a length. */
function isShortText(node: unknown): boolean {
  const [kind, fields] = firstEntry(node);
  if (kind === 'literal') return fields.literal_type === 'string';
  const { data_type: type, length } = (fields.to ?? {}) as Tree;
  return kind === 'cast' && type === 'char' && (length === null || length === undefined) && isShortText(fields.this);
}

/** Whether an expression adds something to the column with this name: CONCAT and CONCAT_WS. */
function isAppended(node: unknown, name: string): boolean {
  const [kind, fields] = firstEntry(withoutAlias(node));
  if (kind !== 'function' || !/^CONCAT(_WS)?$/i.test(String(fields.name)) || !Array.isArray(fields.args)) return false;
  return fields.args.some((argument) => {
    const [argumentKind, column] = firstEntry(argument);
    return argumentKind === 'column' && nameOf(column.name)?.toLowerCase() === name.toLowerCase();
  });
}

/** Returns an expression of a select list without its alias. */
function withoutAlias(item: unknown): unknown {
  const [kind, fields] = firstEntry(item);
  return kind === 'alias' ? fields.this : item;
}
