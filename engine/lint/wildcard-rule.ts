import { isWildcard, type SelectScope } from '../../sql/analysis/select-scope.js';
import { isFields, qualifierOf, toTree } from '../../sql/analysis/tree-search.js';
import type { Finding, LintedText } from './sql-rule.js';

/** Finds `*` in the select list of the answer, and `*` of tables in other SELECTs. `*` of a WITH query names its columns. */
export function findWildcards(scope: SelectScope, { isMain }: LintedText): Finding[] {
  if (scope.isExistence) return [];
  const wildcards = scope.outputs.filter(({ node }) => isWildcard(node));
  return wildcards.slice(0, 1).flatMap(({ node }) => {
    const alias = isFields(node.fields.table) ? qualifierOf(node) : undefined;
    const sources = scope.sources.filter((source) => alias === undefined || source.alias === alias);
    if (!(isMain && scope.isOutermost) && sources.every(({ table }) => table === undefined)) return [];
    return [
      {
        rule: 'select-all-columns',
        at: alias === undefined ? '*' : toTree(node),
        message: 'A column that is added to a table, removed from it or moved changes the result of *',
        fix: 'name the columns',
      },
    ];
  });
}
