type Tree = Record<string, unknown>;

/**
 * Corrects `(1, 2) = (1, 2) AS a`, which the parser reads as `(1, 2) = ((1, 2) AS a)`, in all select lists of a new tree. The tree is
 * changed in place.
 */
export function correctRowAliases(tree: unknown): void {
  if (typeof tree !== 'object' || tree === null) return;
  for (const [key, part] of Object.entries(tree)) {
    correctRowAliases(part);
    const list = key === 'select' && isTree(part) ? part.expressions : undefined;
    if (Array.isArray(list)) for (const item of list) if (isTree(item)) moveAliasOut(item);
  }
}

/** Moves the alias of the last row of an expression around the expression. */
function moveAliasOut(item: Tree): void {
  const [[kind, fields] = ['', undefined]] = Object.entries(item);
  if (kind === 'alias' || !isTree(fields)) return;
  const alias = takeAlias(fields);
  if (alias === undefined) return;
  delete item[kind];
  item.alias = { ...alias, this: { [kind]: fields } };
}

/** Replaces `row AS a` at the end of an expression by the row, and returns the alias. */
function takeAlias(fields: Tree): Tree | undefined {
  for (const place of LAST_OPERANDS) {
    const operand = fields[place];
    if (!isTree(operand)) continue;
    const [[kind, inside] = ['', undefined]] = Object.entries(operand);
    if (!isTree(inside)) return undefined;
    if (kind !== 'alias') return OPERATORS.has(kind) ? takeAlias(inside) : undefined;
    fields[place] = inside.this;
    return inside;
  }
  return undefined;
}

/** The fields of the last operand: of operators with two sides, of BETWEEN, and of NOT and CASE. */
const LAST_OPERANDS = ['right', 'high', 'this'];
const OPERATORS = new Set('eq neq lt lte gt gte null_safe_eq and or xor not between'.split(' '));

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
