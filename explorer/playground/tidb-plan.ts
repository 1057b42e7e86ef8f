import type { Cell, ResultSet } from '../../engine/index.js';
import { namedRows, type PlanRow, type ReadPlan, readEstimate, shortened, UnreadablePlanError } from './plan.js';
import { countExaminedRows, type PlanStep } from './plan-step.js';

/** Parses the EXPLAIN result of TiDB. Throws `UnreadablePlanError`. */
export function readTidbPlan(result: ResultSet): ReadPlan {
  const operators = namedRows(result).map(readOperator);
  // A table of WITH is a separate tree after the tree of the query.
  const roots = operators.flatMap(({ depth }, index) => (depth === 0 ? [toStep(operators, index)] : []));
  if (roots.length === 0 || operators[0]?.depth !== 0) throw new UnreadablePlanError('The plan of TiDB has no root.');
  const estimatedRows = roots.reduce((sum, root) => sum + countExaminedRows(root), 0);
  return { rows: operators.map(({ row }) => row), estimatedRows };
}

interface Operator {
  readonly depth: number;
  readonly estimate: number;
  readonly info: string;
  readonly row: PlanRow;
}

function readOperator(cells: ReadonlyMap<string, Cell>): Operator {
  const id = String(cells.get('id'));
  const name = id.search(/[A-Za-z]/);
  if (name < 0) throw new UnreadablePlanError(`An operator in the plan of TiDB has the id ${JSON.stringify(id)}.`);
  const estimate = readEstimate(cells.get('estRows'));
  const info = String(cells.get('operator info') ?? '');
  const place = String(cells.get('access object') ?? '');
  const row = {
    operator: id,
    estimatedRows: estimate,
    table: shortened(withoutSchema(place)),
    details: shortened(withoutSchema(info)),
  };
  // In the text, each level adds two characters, such as `└─`, before the name.
  return { depth: name / 2, estimate, info, row };
}

function toStep(operators: readonly Operator[], index: number): PlanStep {
  const { depth = 0, estimate = 0, info = '' } = operators[index] ?? {};
  const rest = operators.slice(index + 1);
  const end = rest.findIndex((one) => one.depth <= depth);
  const below = end < 0 ? rest : rest.slice(0, end);
  const inputs = below.flatMap((one, at) => (one.depth === depth + 1 ? [toStep(operators, index + 1 + at)] : []));
  return { outputRows: estimate, comparesAllPairs: info.startsWith('CARTESIAN'), inputs };
}

/** Removes the name of the schema before `table.column`, because users must not see it. */
function withoutSchema(text: string): string {
  return text.replaceAll(/[\w$-]+\.(\w+\.\w+)/g, '$1');
}
