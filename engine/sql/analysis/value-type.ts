import { translator } from '../duckdb/expression.js';
import { children, isFields, type Node, toNode } from '../reading/tree.js';
import { UntranslatableSqlError } from '../reading/untranslatable-sql-error.js';
import { resolveColumn, type SelectScope } from './select-scope.js';
import type { ValueType } from './table-facts.js';

/** Returns the type of a placeholder, such as `p1`. */
export type MarkerTypes = (name: string) => ValueType;

/** Returns the type of a value; `unknown` if the SQL text and the facts about the tables do not determine it. */
export function typeOf(scope: SelectScope, node: Node, markers: MarkerTypes): ValueType {
  const { kind, fields } = node;
  if (kind === 'parameter') return markers(String(fields.name));
  if (kind === 'column') return resolveColumn(scope, node)?.fact?.type ?? 'unknown';
  if (SAME_AS_ARGUMENT.has(kind) && isFields(fields.this)) return typeOf(scope, toNode(fields.this), markers);
  if (kind === 'coalesce') {
    const types = children(node, 'expressions').map((one) => typeOf(scope, one, markers));
    return types.every((type) => type === types[0]) ? (types[0] ?? 'unknown') : 'unknown';
  }
  try {
    return translator.result(node);
  } catch (error) {
    if (error instanceof UntranslatableSqlError) return 'unknown';
    throw error;
  }
}

const SAME_AS_ARGUMENT: ReadonlySet<string> = new Set(['paren', 'min', 'max', 'any_value']);
