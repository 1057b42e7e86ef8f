import { operandsOf, selectOf } from '../../sql/analysis/analyze-query.js';
import { rowId } from '../../sql/analysis/dependencies.js';
import { dependenciesOf } from '../../sql/analysis/determination.js';
import { hasOneRow } from '../../sql/analysis/relations.js';
import { resolveUse, type SelectScope, type Source } from '../../sql/analysis/select-scope.js';
import { columnsIn, conjunctsOf, qualifierOf, withoutParentheses } from '../../sql/analysis/tree-search.js';
import { comparisonKey } from '../../sql/duckdb/grouping.js';
import { isFields, type Node, part, toNode } from '../../sql/reading/tree.js';
import { comparedWithItself } from './condition-rules.js';
import type { Finding, LintedText } from './sql-rule.js';

/** Finds tables that a comma or JOIN combines without a condition between them, so that every row is combined with every row. */
export function findCrossJoins(scope: SelectScope, text: LintedText): Finding[] {
  const { node, sources, isUnderstood } = scope;
  if (!isUnderstood || sources.length < 2 || !sources.every(isReadable)) return [];
  const groups = new Groups([OUTER, ...sources.map(({ alias }) => alias)]);
  sources.forEach((source, index) => {
    const isWanted = source.join === 'Cross' || source.using.length > 0 || isConstant(source.on);
    if (isWanted && index > 0) groups.join(sources.slice(0, index + 1).map(({ alias }) => alias));
  });
  const clauses = [part(node.fields, 'where_clause')?.this, part(node.fields, 'having')?.this];
  const conditions = [...clauses, ...sources.map(({ on }) => on)].flatMap(conjunctsOf);
  for (const condition of conditions) {
    // The author forgot to name the other table in this condition, which is reported there.
    if (comparedWithItself(scope, condition) !== undefined) return [];
    const used = aliasesIn(scope, condition);
    if (used === undefined) return [];
    groups.join(used);
  }
  for (const aliases of aliasesByConstant(scope, conditions, text).values()) groups.join(aliases);
  const single = dependenciesOf(scope).closure([]);
  const [first, ...others] = sources.filter((source) => !single.has(rowId(source.alias)) && !isList(source, text));
  const lost = others.find(({ alias }) => !groups.areJoined(alias, first?.alias ?? ''));
  // A table that is combined with itself, such as a table of digits, generates rows.
  const isGenerator = sources.some(
    (source) => source !== lost && source.table !== undefined && source.table === lost?.table,
  );
  if (first === undefined || lost === undefined || isGenerator) return [];
  return [
    {
      rule: 'missing-join-condition',
      at: lost.identifier,
      message: `No condition connects ${lost.alias} with ${first.alias}, so every row of one is combined with every row of the other`,
      fix: 'add the condition to ON, or write CROSS JOIN if all combinations are wanted',
    },
  ];
}

/** Whether a source is a table or a query with a name. Other sources, and LATERAL, can use columns of earlier sources. */
function isReadable({ table, query, relation, alias }: Source): boolean {
  const isQuery = query !== undefined && query.fields.lateral !== true;
  return alias !== '' && (table !== undefined || isQuery || relation.columns !== undefined);
}

/** Whether a source has one row, or few constants such as `(SELECT 'rye' AS kind UNION ALL SELECT 'wheat')`. */
function isList({ query }: Source, { analysis }: LintedText): boolean {
  const selects = query === undefined ? [] : operandsOf(query).map((operand) => selectOf(analysis, operand));
  return selects.length > 0 && selects.every((select) => select !== undefined && hasOneRow(select));
}

/** Whether ON has no columns, as in `ON TRUE`. */
function isConstant(on: unknown): boolean {
  return isFields(on) && columnsIn(on).length === 0;
}

/** The name for the row of the enclosing SELECT. Sources that depend on it are connected by it. */
const OUTER = '@outer';

/** Returns the aliases of the sources that a condition uses; undefined if this is not certain. */
function aliasesIn(scope: SelectScope, { kind, fields }: Node): string[] | undefined {
  const uses = columnsIn({ [kind]: fields });
  const aliases = uses.map((use) => resolveUse(scope, use)?.source.alias);
  const isUnclear = uses.some((use, index) => aliases[index] === undefined && qualifierOf(use.node) === undefined);
  // A nested column with an unknown qualifier belongs to the subquery.
  return isUnclear ? undefined : uses.flatMap(({ isNested }, index) => aliases[index] ?? (isNested ? [] : OUTER));
}

/** Returns the sources with a column that equals the same value, as in `a.day = {{ day }} AND b.day = {{ day }}`. */
function aliasesByConstant(
  scope: SelectScope,
  conditions: readonly Node[],
  { outputOf }: LintedText,
): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { kind, fields } of conditions) {
    if (kind !== 'eq') continue;
    const sides = [fields.left, fields.right].map((side) => withoutParentheses(toNode(side)));
    const constant = sides.find((side) => columnsIn({ [side.kind]: side.fields }).length === 0);
    if (constant === undefined) continue;
    const key = outputOf(String(constant.fields.name))?.parameter ?? comparisonKey(constant);
    found.set(key, [...(found.get(key) ?? []), ...(aliasesIn(scope, { kind, fields }) ?? [])]);
  }
  return found;
}

/** Sets of names that conditions connect. */
class Groups {
  readonly #groupOf: Map<string, string>;

  constructor(names: readonly string[]) {
    this.#groupOf = new Map(names.map((name) => [name, name]));
  }

  join(names: readonly string[]): void {
    const [first, ...others] = names.map((name) => this.#groupOf.get(name) ?? name);
    if (first === undefined) return;
    for (const [name, group] of this.#groupOf) if (others.includes(group)) this.#groupOf.set(name, first);
  }

  areJoined(one: string, other: string): boolean {
    return this.#groupOf.get(one) === this.#groupOf.get(other);
  }
}
