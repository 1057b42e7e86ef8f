import { type Comparison, compareEndpoint } from '../../../../engine/authoring/index.js';
import {
  type BrokenEndpoint,
  type Endpoint,
  type Engine,
  formatProblems,
  type ParameterValue,
} from '../../../../engine/index.js';
import type { CommandContext } from '../../../terminal/command-context.js';
import { count, plural } from '../../../terminal/numbers.js';

export interface Tested {
  readonly endpoint: Endpoint;
  /** Parameter values that are used for all requests. These values override the values in the definition. */
  readonly values: Readonly<Record<string, ParameterValue>>;
}

/** Compares endpoints on two databases and prints the differences. Returns true if there are no differences. */
export async function compare(
  context: CommandContext,
  [one, other]: readonly [Engine, Engine],
  { tested, broken }: { readonly tested: readonly Tested[]; readonly broken: readonly BrokenEndpoint[] },
  json: boolean,
): Promise<boolean> {
  const { output, signal } = context;
  const comparisons: Comparison[] = [];
  const outside = tested.find(({ endpoint }) => !one.endpoints.includes(endpoint));
  if (outside !== undefined)
    throw new Error(`--against: expected definitions in ENDPOINTS_DIR, got ${outside.endpoint.file}.`);
  for (const problem of formatProblems(broken)) output.error(problem);
  for (const { endpoint, values } of tested) {
    const bases = Object.keys(values).length === 0 ? [] : [values];
    const comparison = await compareEndpoint(one, other, endpoint.definition.name, { bases, signal });
    comparisons.push(comparison);
    if (!json) printComparison(context, comparison);
  }
  const total = (of: (comparison: Comparison) => number) => comparisons.reduce((sum, each) => sum + of(each), 0);
  const differences = total((each) => each.differences.length);
  if (json) output.json(comparisons);
  else {
    const [requests, rows] = [total((each) => each.requests), total((each) => each.rows)];
    output.note(`${plural(requests, 'request')}, ${plural(rows, 'row')}, ${count(differences)} differ`);
  }
  return differences === 0 && broken.length === 0;
}

function printComparison({ output }: CommandContext, { name, requests, rows, differences }: Comparison): void {
  const word = differences.length === 0 ? output.coloured('green', 'same') : output.coloured('red', 'differs');
  output.print(`${word} ${name}: ${requests} requests, ${rows} rows, ${differences.length} differ`);
  for (const { request, at, one, other } of differences.slice(0, SHOWN)) {
    const asked = Object.entries(request).map(([key, value]) => `${key}=${value}`);
    output.print(`  ${asked.join(' ') || 'without parameters'}: ${at}: ${one} and ${other}`);
  }
  if (differences.length > SHOWN) output.print(`  and ${differences.length - SHOWN} more`);
  if (rows === 0)
    output.warn('  no request returned rows, so nothing was compared; pass values that exist in the data with --param');
}

const SHOWN = 5;
