import { checkChart, type DeclaredChart } from '../../charts/check-chart.js';
import { didYouMean } from '../../sql/did-you-mean.js';
import type { ColumnDefinition } from '../definition.js';
import type { DefinitionPath, DefinitionSource } from '../definition-source.js';
import type { Problem } from '../problem.js';

/** Checks the chart at a path of a file: its columns must be columns of the answer with suitable types. */
export function checkChartColumns(
  source: Pick<DefinitionSource, 'problem'>,
  path: DefinitionPath,
  chart: DeclaredChart,
  columns: readonly ColumnDefinition[],
): Problem[] {
  const declared = columns.map(({ col, data_type }) => ({ name: col, type: data_type }));
  const names = declared.map(({ name }) => name);
  return checkChart(chart, declared).map(({ path: place, message, unknownColumn, ...facts }) => {
    const hint = unknownColumn === undefined ? '' : didYouMean(unknownColumn, names);
    const expected = unknownColumn !== undefined && hint === '' ? { expected: `one of ${names.join(', ')}` } : {};
    return source.problem([...path, ...place], `${message}${hint}`, { ...facts, ...expected });
  });
}
