import type { ScopeNodes } from '../../sql/analysis/scope-nodes.js';
import type { SelectScope } from '../../sql/analysis/select-scope.js';
import { nodesIn } from '../../sql/analysis/tree-search.js';
import { type Fields, isFields, nameOf, part } from '../../sql/reading/tree.js';
import type { ParameterDefinition } from '../definition.js';
import type { Finding, LintedText } from './sql-rule.js';

/** Finds number parameters without bounds that determine how many rows, days or characters a query computes. */
export function findUnboundedParameters(
  { node }: SelectScope,
  { endpoint, outputOf }: LintedText,
  nodes: ScopeNodes,
): Finding[] {
  const used = [
    ...markersIn([node.fields.limit, node.fields.offset]).map((name) => ({ name, place: 'LIMIT or OFFSET' })),
    ...nodes
      .of('interval')
      .flatMap(({ fields }) => markersIn(fields.this).map((name) => ({ name, place: 'INTERVAL' }))),
    ...nodes.of('function').flatMap(({ fields }) => {
      const called = String(fields.name).toUpperCase();
      return LENGTHS.has(called) ? markersIn(fields.args).map((name) => ({ name, place: called })) : [];
    }),
  ];
  return used.flatMap(({ name, place }) => {
    const parameter = outputOf(name)?.parameter;
    const definition = parameter === undefined ? undefined : endpoint.parameters[parameter];
    if (parameter === undefined || definition === undefined) return [];
    const missing = missingBounds(definition);
    if (missing.length === 0) return [];
    return [
      {
        rule: 'unbounded-parameter',
        parameter,
        at: undefined,
        message: `A caller can send any number for this parameter, which is used in ${place}: the cost of the query has no limit, and extreme values are errors`,
        fix: `add ${missing.join(' and ')}`,
      },
    ];
  });
}

/** Functions with an argument that determines the length of the result. */
const LENGTHS: ReadonlySet<string> = new Set(['REPEAT', 'SPACE', 'LPAD', 'RPAD']);

function missingBounds({ type, enum: values, choices, minimum, maximum }: ParameterDefinition): string[] {
  const isChoice = values !== undefined || choices !== undefined;
  if (isChoice || (type !== 'integer' && type !== 'number')) return [];
  return [...(minimum === undefined ? ['minimum'] : []), ...(maximum === undefined ? ['maximum'] : [])];
}

/** Returns the names of the placeholders in a part of the syntax tree, except those in subqueries. */
function markersIn(tree: unknown): string[] {
  const own = isFields(tree) ? part(tree as Fields, 'parameter') : undefined;
  const inside = nodesIn(tree, MARKER).map(({ fields }) => nameOf(fields));
  return own === undefined || inside.length > 0 ? inside : [nameOf(own)];
}

const MARKER: ReadonlySet<string> = new Set(['parameter']);
