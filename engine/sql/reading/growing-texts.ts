import { expressionsOf, type Fields, isFields, listOf, nameIn, nodeOf, outputName } from './tree.js';

/**
 * Finds texts of a WITH RECURSIVE that grow although a server limits the column to the length of its first value, if `isShort` is true for
 * this value. Returns messages for the author.
 */
export function findGrowingTexts(clause: Fields, isShort: (first: unknown) => boolean): string[] {
  if (clause.recursive !== true || !Array.isArray(clause.ctes)) return [];
  return (clause.ctes as readonly Fields[]).flatMap((cte) => {
    const {
      kind,
      fields: { left, right },
    } = nodeOf(cte.this);
    if (kind !== 'union') return [];
    const [first = [], next = []] = [left, right].map((side) => expressionsOf(nodeOf(side).fields));
    const names = listOf(cte.columns).map(nameIn);
    return first.flatMap((item, index) => {
      const name = names[index] ?? outputName(item);
      if (name === null || !isShort(withoutAlias(item)) || !isAppended(next[index], name)) return [];
      return `the text ${name} of ${nameIn(cte.alias)} cannot become longer than its first value: write CAST(… AS CHAR(200)) there`;
    });
  });
}

/** Whether an expression is a text literal, or a CAST of a literal without a length. The length of a column is not known here. */
export function isShortText(node: unknown): boolean {
  const { kind, fields } = nodeOf(node);
  if (kind === 'literal') return fields.literal_type === 'string';
  const { data_type: type, length } = (fields.to ?? {}) as Fields;
  return kind === 'cast' && type === 'char' && (length === null || length === undefined) && isShortText(fields.this);
}

/** Whether an expression appends a text to the column with this name, with CONCAT or CONCAT_WS. */
function isAppended(node: unknown, name: string): boolean {
  const { kind, fields } = nodeOf(withoutAlias(node));
  if (kind !== 'function' || !/^CONCAT(_WS)?$/i.test(String(fields.name)) || !Array.isArray(fields.args)) return false;
  return fields.args.some((argument) => {
    const { kind: argumentKind, fields: column } = nodeOf(argument);
    return argumentKind === 'column' && nameIn(column.name)?.toLowerCase() === name.toLowerCase();
  });
}

/** Returns an expression of a select list without its alias. */
function withoutAlias(item: unknown): unknown {
  const { kind, fields } = nodeOf(item);
  return kind === 'alias' ? fields.this : item;
}

/** Returns the WITH clauses of a tree. */
export function withClausesIn(tree: unknown): Fields[] {
  if (Array.isArray(tree)) return tree.flatMap(withClausesIn);
  if (!isFields(tree)) return [];
  return Object.entries(tree).flatMap(([key, part]) => [
    ...(key === 'with' && isFields(part) ? [part] : []),
    ...withClausesIn(part),
  ]);
}
