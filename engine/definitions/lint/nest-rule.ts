import { rowId } from '../../sql/analysis/dependencies.js';
import { dependenciesOf, idsOf } from '../../sql/analysis/determination.js';
import { resolveColumn, type SelectScope } from '../../sql/analysis/select-scope.js';
import { conjunctsOf, writeColumnName } from '../../sql/analysis/tree-search.js';
import { type Node, part, toTree } from '../../sql/reading/tree.js';
import type { Finding, LintedText } from './sql-rule.js';

/** Finds lists whose columns do not show whether a parent has no child: all columns of a child are NULL if and only if the parent has no child. */
export function findUnclearChildren(scope: SelectScope, { endpoint, isMain }: LintedText): Finding[] {
  const { nest, columns } = endpoint.definition;
  if (nest === undefined || !isMain || !scope.isOutermost || !scope.isUnderstood) return [];
  const nodesOf = (names: readonly string[]) =>
    scope.outputs.filter(({ name }) => names.some((col) => col.toLowerCase() === name)).map(({ node }) => node);
  const children = nodesOf(nest.columns);
  const [first] = children;
  const keys = nodesOf(nest.by ?? columns.map(({ col }) => col).filter((col) => !nest.columns.includes(col)));
  const ofParent = findColumnOfParent(scope, children, keys);
  if (ofParent !== undefined) {
    return [
      {
        rule: 'unclear-children',
        at: toTree(ofParent),
        message: `${writeColumnName(ofParent)} belongs to the parent, so a parent without children gets a list with one child`,
        fix: `remove the column from the list ${nest.name}`,
      },
    ];
  }
  const areNullable = children.every((node) => columnOf(scope, node)?.fact?.isNullable === true);
  if (first === undefined || !areNullable) return [];
  if (conjunctsOf(part(scope.node.fields, 'where_clause')?.this).some(isNotNull)) return [];
  return [
    {
      rule: 'unclear-children',
      at: toTree(first),
      message: `A child with NULL in all columns of ${nest.name} can be missing in the list: its table allows NULL in each of them`,
      fix: 'add a column that is never NULL, such as the key of the child, to the list',
    },
  ];
}

/** Finds a column of a list that the key of the parent determines, although a LEFT JOIN returns the other columns of the list. */
function findColumnOfParent(scope: SelectScope, children: readonly Node[], keys: readonly Node[]): Node | undefined {
  if (!children.some((node) => columnOf(scope, node)?.source.isOptional)) return undefined;
  const determined = dependenciesOf(scope).closure(idsOf(scope, keys));
  return children.find((node) => {
    const source = columnOf(scope, node)?.source;
    return source !== undefined && !source.isOptional && determined.has(rowId(source.alias));
  });
}

function columnOf(scope: SelectScope, node: Node): ReturnType<typeof resolveColumn> {
  return node.kind === 'column' ? resolveColumn(scope, node) : undefined;
}

function isNotNull({ kind, fields }: Node): boolean {
  return kind === 'is_null' && fields.not === true;
}
