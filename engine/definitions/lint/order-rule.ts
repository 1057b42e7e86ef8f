import { type Determined, ROW, rowId } from '../../sql/analysis/dependencies.js';
import {
  dependenciesOf,
  findUndetermined,
  groupKeysOf,
  idsOf,
  isGrouped,
  keyIdsOf,
  orderKeysOf,
  rowIdsOf,
} from '../../sql/analysis/determination.js';
import { expandOutputs, hasOneRow, limitOf, type NamedOutput } from '../../sql/analysis/relations.js';
import { resolveColumn, type SelectScope, type Source } from '../../sql/analysis/select-scope.js';
import { columnNameOf, writeColumnName } from '../../sql/analysis/tree-search.js';
import { type Node, part, parts, SET_OPERATIONS, toTree } from '../../sql/reading/tree.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import type { Finding, LintedText } from './sql-rule.js';

/** Finds an answer whose rows have no total order. The order of rows that are equal in all columns is ignored. */
export function findUnstableOrder({ endpoint, analysis: { root, selects } }: LintedText): Finding[] {
  const outermost = selects.filter(({ isOutermost }) => isOutermost);
  const scope = outermost.find(({ node }) => node.fields === root.fields);
  const order = part(root.fields, 'order_by');
  const effect = effectOf(endpoint, limitOf(root.fields));
  if (scope === undefined) {
    // Only a missing ORDER BY is reported for a UNION, because it is unknown which of its columns are unique.
    const isUnordered = SET_OPERATIONS.has(root.kind) && order === undefined;
    return isUnordered ? [{ ...UNORDERED, at: root.fields, message: `The SQL has no ORDER BY: ${effect}` }] : [];
  }
  if (hasOneRow(scope) && part(root.fields, 'limit') === undefined) return [];
  const outputs = expandOutputs(scope);
  const keys = orderKeysOf(scope, order);
  const isDistinct = scope.node.fields.distinct === true;
  const late = isDistinct && scope.isUnderstood ? findKeyOutsideOfRow(scope, keys, outputs) : undefined;
  if (late !== undefined) {
    return [
      {
        rule: 'unstable-pages',
        at: parts(order ?? {}, 'expressions')[late],
        message: `ORDER BY of a SELECT DISTINCT uses an expression that is not a column of the answer. Equal rows become one row, which has several values of this expression: ${effect}`,
        fix: 'order by columns of the answer, or write GROUP BY with MIN or MAX of the expression instead of DISTINCT',
      },
    ];
  }
  const determined = dependenciesOf(scope).closure(keyIdsOf(scope, keys));
  const open = (outputs ?? scope.outputs).flatMap(({ node }) => findUndetermined(scope, node, determined));
  const isTotal = rowIdsOf(scope).every((row) => determined.has(row));
  if (isTotal || (outputs !== undefined && open.length === 0)) return [];
  if (order === undefined) {
    return [{ ...UNORDERED, at: toTree(scope.node), message: `The SQL has no ORDER BY: ${effect}` }];
  }
  // A column of an unknown table can be unique.
  const mayBeUnique = keys.some(
    (key) => key.kind === 'column' && !resolveColumn(scope, key)?.source.relation.areKeysKnown,
  );
  const missing = isDistinct ? findMissingOutputs(scope, outputs, determined) : findMissing(scope, open, determined);
  if (missing === undefined || !scope.isUnderstood || mayBeUnique) return [];
  const [last] = parts(order, 'expressions').slice(-1);
  return [
    {
      rule: 'unstable-pages',
      at: last,
      message: `Different rows can be equal in ORDER BY: ${effect}`,
      fix: `add ${missing} at the end of ORDER BY`,
    },
  ];
}

const UNORDERED = { rule: 'unstable-pages', fix: 'add ORDER BY with columns that identify a row' } as const;

function effectOf({ definition }: Endpoint, limit: number | undefined): string {
  if (definition.pagination !== undefined) return 'pages can repeat rows and omit others';
  if (limit !== undefined) return `it is not determined which ${limit} rows the answer contains`;
  return 'equal requests can return rows in another order, and other rows if limits.rows truncates them';
}

/** Returns the index of the first key of ORDER BY whose value is not determined by the columns of a SELECT DISTINCT. */
function findKeyOutsideOfRow(
  scope: SelectScope,
  keys: readonly Node[],
  outputs: readonly NamedOutput[] | undefined,
): number | undefined {
  if (outputs === undefined) return undefined;
  const columns = [...scope.outputs, ...outputs].map(({ node }) => node);
  const determined = dependenciesOf(scope).closure(idsOf(scope, columns));
  const index = keys.findIndex((key) => findUndetermined(scope, key, determined).length > 0);
  return index === -1 ? undefined : index;
}

/** Returns the columns of a SELECT DISTINCT that the keys of ORDER BY do not determine. All its columns together are unique. */
function findMissingOutputs(
  scope: SelectScope,
  outputs: readonly NamedOutput[] | undefined,
  determined: Determined,
): string | undefined {
  const missing = outputs?.filter(({ node }) => findUndetermined(scope, node, determined).length > 0);
  return missing && [...new Set(missing.map(({ name }) => name))].join(', ');
}

/** Returns the columns that must be added to ORDER BY for a total order; undefined if the keys of a table are unknown. */
function findMissing(scope: SelectScope, open: readonly Node[], determined: Determined): string | undefined {
  const names = isGrouped(scope)
    ? groupKeysOf(scope).flatMap((key) => missingGroupKey(scope, key, determined))
    : scope.sources
        .filter(({ alias }) => !determined.has(rowId(alias)))
        .map((source) => missingColumns(scope, source, open, determined));
  if (!names.every((name) => name !== undefined)) return undefined;
  return [...new Set(names.flat())].join(', ');
}

function missingGroupKey(scope: SelectScope, key: Node, determined: Determined): (string[] | undefined)[] {
  if (idsOf(scope, [key]).every((id) => determined.has(id))) return [];
  const alias = scope.outputs.find(({ node }) => node === key)?.name;
  return [[key.kind === 'column' ? writeColumnName(key) : (alias ?? 'the other expressions of GROUP BY')]];
}

/** Returns the undetermined columns of a key of a source; without a key, its undetermined columns in `open`. */
function missingColumns(
  { sources }: SelectScope,
  { alias, relation }: Source,
  open: readonly Node[],
  determined: Determined,
): string[] | undefined {
  if (!relation.areKeysKnown) return undefined;
  const key = relation.dependencies.find(({ to }) => to.includes(ROW))?.from;
  const selected = open.filter(({ kind }) => kind === 'column').map(columnNameOf);
  const prefix = sources.length === 1 ? '' : `${alias}.`;
  const isOpen = (name: string) => !determined.has(`${alias}.${name}`);
  return [...new Set(key ?? selected)].filter(isOpen).map((name) => `${prefix}${name}`);
}
