import { type Dependencies, rowId } from '../../sql/analysis/dependencies.js';
import { dependenciesOf, dependenciesOfMatches, groupKeysOf, idsOf } from '../../sql/analysis/determination.js';
import { resolveUse, type SelectScope, type Source } from '../../sql/analysis/select-scope.js';
import { aggregatesIn, columnsIn } from '../../sql/analysis/tree-search.js';
import { listOf, type Node, nodeOf, part, toTree } from '../../sql/reading/tree.js';
import { findCrossJoins } from './cross-join-rule.js';
import { probablySingleRows } from './single-match.js';
import type { Finding, LintedText } from './sql-rule.js';

/** Finds COUNT(*) over a join, if the author probably wants to count the rows of only one table. */
export function findRowCounts(scope: SelectScope, text: LintedText): Finding[] {
  if (!scope.isUnderstood || scope.sources.length < 2) return [];
  if (!scope.sources.every(({ relation }) => relation.isKeyed)) return [];
  return scope.outputs.flatMap(({ name, node }, index) => {
    const [count] = aggregatesIn([toTree(node)], COUNT).filter(isRowCount);
    if (count === undefined) return [];
    const found =
      findUnmatched(scope) ??
      (node.fields === count.fields ? findNamed(scope, name ?? '') : undefined) ??
      findCombinations(scope, text);
    // The parser provides no place for COUNT(*), but for its alias.
    const at = name === undefined ? 'COUNT' : listOf(scope.node.fields.expressions)[index];
    return found === undefined ? [] : [{ ...found, at }];
  });
}

const COUNT: ReadonlySet<string> = new Set(['count']);

function isRowCount({ fields }: Node): boolean {
  return fields.star === true || (fields.distinct !== true && nodeOf(fields.this).kind === 'literal');
}

type Found = Omit<Finding, 'at'>;

/** Finds COUNT(*) in groups of one row and its matches in a LEFT JOIN: without a match, it is 1. */
function findUnmatched(scope: SelectScope): Found | undefined {
  if (part(scope.node.fields, 'group_by') === undefined) return undefined;
  const keys = idsOf(scope, groupKeysOf(scope));
  const determined = dependenciesOf(scope).closure(keys);
  const open = scope.sources.filter(({ alias }) => !determined.has(rowId(alias)));
  const [first] = open;
  if (open.some(({ alias }) => keys.some((key) => key.startsWith(`${alias}.`)))) return undefined;
  // A self join with >= counts the row itself, so every group has a match.
  const isSelfJoin = open.some(({ table }) => scope.sources.some((one) => !open.includes(one) && one.table === table));
  const tested = columnsIn(part(scope.node.fields, 'where_clause')).map((use) => resolveUse(scope, use)?.source);
  if (first === undefined || isSelfJoin || open.some((source) => !source.isOptional || tested.includes(source)))
    return undefined;
  return {
    rule: 'left-join-counted',
    message: `COUNT(*) is 1 for a group without a row of ${first.alias}, because the LEFT JOIN adds one row for it`,
    fix: `count a column of ${first.alias} that is never NULL, such as COUNT(${first.alias}.${keyColumnOf(first)})`,
  };
}

function keyColumnOf({ relation }: Source): string {
  const [column = 'id'] = relation.dependencies.find(({ from }) => from.length > 0)?.from ?? [];
  return column;
}

/** Finds `COUNT(*) AS customers` in a join that repeats the rows of the table `customers`. */
function findNamed(scope: SelectScope, name: string): Found | undefined {
  const counted = singular(name.replace(/^(?:n|num|nr|number_of|count_of|count|total)_|_(?:n|count|total)$/g, ''));
  const named = scope.sources.filter(({ table }) => table !== undefined && singular(table) === counted);
  const [first] = named;
  const repeats = named.map((source) => findRepeater(scope, dependenciesOfMatches(scope), source));
  if (first === undefined || !repeats.every((other) => other !== undefined)) return undefined;
  return {
    rule: 'repeated-sum',
    message: `${name} counts a row of ${first.table} several times: several rows of ${repeats[0]?.alias} can belong to one row of ${first.table}`,
    fix: `write COUNT(DISTINCT ${first.alias}.${keyColumnOf(first)})`,
  };
}

function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/s$/, '');
}

/** Returns a source that can have several rows for one row of `source` in a group. */
function findRepeater(scope: SelectScope, dependencies: Dependencies, source: Source): Source | undefined {
  const keys = [...idsOf(scope, groupKeysOf(scope)), ...probablySingleRows(scope)];
  const determined = dependencies.closure([...keys, rowId(source.alias)]);
  return scope.sources.find(({ alias }) => !determined.has(rowId(alias)));
}

/** Finds COUNT(*) of all combinations of the rows of two tables that have only their parent in common. */
function findCombinations(scope: SelectScope, text: LintedText): Found | undefined {
  const { sources } = scope;
  const tables = sources.flatMap(({ table }) => table ?? []);
  if (new Set(tables).size < tables.length || sources.some(({ join }) => join === 'Cross')) return undefined;
  if (findCrossJoins(scope, text).length > 0) return undefined;
  const dependencies = dependenciesOfMatches(scope);
  const repeaters = sources.map((source) => findRepeater(scope, dependencies, source));
  const index = repeaters.findIndex(
    (other, place) => other !== undefined && repeaters[sources.indexOf(other)] === sources[place],
  );
  const [one, other] = [sources[index], repeaters[index]];
  if (one === undefined || other === undefined || !repeaters.every((found) => found !== undefined)) return undefined;
  return {
    rule: 'repeated-sum',
    message: `COUNT(*) counts every combination of a row of ${one.alias} and a row of ${other.alias}, because several rows of both can match`,
    fix: 'count the rows of each table in a derived table, and join the results',
  };
}
